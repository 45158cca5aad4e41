// Lights Out in Go: pressing a lamp toggles it and its neighbours; the aim is that all are off.
// Its texts are those of ../lights-out/lights_out.c, whose rulebook it can be:
//
//	go build -o lamps lamps.go
//	antipode verify lamps/3x3 --from ooo/ooo/ooo --plugin ./lights_out.so --rules ./lamps
package main

import (
	"encoding/json"
	"os"
	"strings"
)

type request struct {
	Do       string
	Instance string
	Settings map[string]string
	States   []string
}

type object = map[string]any

var sizes = map[string]int{"3x3": 3, "4x4": 4, "5x5": 5}
var size int

func goal() string {
	row := strings.Repeat(".", size)
	return strings.Repeat(row+"/", size-1) + row
}

func moves(state string) [][2]string {
	found := [][2]string{}
	for cell := 0; cell < size*size; cell++ {
		lamps := []byte(state)
		for other := 0; other < size*size; other++ {
			dx, dy := cell%size-other%size, cell/size-other/size
			if at := other/size*(size+1) + other%size; dx*dx+dy*dy <= 1 {
				lamps[at] = '.' + 'o' - lamps[at]
			}
		}
		name := string(rune('a'+cell%size)) + string(rune('1'+cell/size))
		found = append(found, [2]string{name, string(lamps)})
	}
	return found
}

func answer(ask request) object {
	switch ask.Do {
	case "about":
		list := []object{{"name": "3x3"}, {"name": "4x4"}, {"name": "5x5"}}
		return object{"name": "lamps", "summary": "Lights Out", "instances": list}
	case "open":
		if size = sizes[ask.Instance]; size == 0 || len(ask.Settings) > 0 {
			return object{"error": "use 3x3, 4x4 or 5x5, without settings"}
		}
		return object{}
	case "moves":
		all := make([][][2]string, len(ask.States))
		for i, state := range ask.States {
			all[i] = moves(state)
		}
		return object{"moves": all}
	case "solved":
		all := make([]bool, len(ask.States))
		for i, state := range ask.States {
			all[i] = state == goal()
		}
		return object{"solved": all}
	case "goals":
		return object{"goals": []string{goal()}}
	}
	return object{"unsupported": true}
}

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for ask := (request{}); in.Decode(&ask) == nil; ask = (request{}) {
		out.Encode(answer(ask))
	}
}
