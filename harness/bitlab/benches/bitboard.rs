//! Every bitboard algorithm against its literal twin, as pairs `bits` and `naive`.

use std::hint::black_box;
use std::time::Duration;

use antipode_bitlab::bitboard::naive::{self, Cells, Literal, Side, Twin};
use antipode_bitlab::bitboard::packing::{self, Fixes, SOMA};
use antipode_bitlab::bitboard::{life, y::Colour, y::YBoard};
use antipode_bitlab::permute::SplitMix64;
use criterion::{Criterion, criterion_group, criterion_main};
use puzzle_api::bitboard::*;

/// A position in both representations, with the last move.
struct Input<'a, const N: usize> {
    bits: Position<N>,
    cells: Literal<'a>,
    last: Board<N>,
    last_cell: usize,
}

fn inputs<const N: usize>(board: &Twin<N>) -> Vec<Input<'_, N>> {
    let mut random = SplitMix64::new(1);
    let input = |_| {
        let mut bits = || Board::from_words(std::array::from_fn(|_| random.next_word()));
        let (player, occupied) = (bits(), bits() | bits());
        let at = board.position(occupied & player, occupied);
        let last = at.player.lowest().or(board.bits.mask().lowest());
        let last = last.unwrap_or(0);
        Input {
            cells: board.literal(&at),
            bits: at,
            last: Board::bit(last),
            last_cell: board.cell(last).unwrap_or(0),
        }
    };
    (0..64).map(input).collect()
}

/// Times both sides on the inputs in turn.
fn pair<I, A, B>(
    criterion: &mut Criterion,
    name: &str,
    inputs: &[I],
    mut bits: impl FnMut(&I) -> A,
    mut naive: impl FnMut(&I) -> B,
) {
    let mut group = criterion.benchmark_group(name);
    let mut all = inputs.iter().cycle();
    group.bench_function("bits", |b| {
        b.iter(|| all.next().map(|i| bits(black_box(i))))
    });
    let mut all = inputs.iter().cycle();
    group.bench_function("naive", |b| {
        b.iter(|| all.next().map(|i| naive(black_box(i))))
    });
    group.finish();
}

#[rustfmt::skip] // One pair per line reads as the table that it is.
fn on_board<const N: usize>(c: &mut Criterion, label: &str, board: Geometry<N>) {
    const D: Direction = Direction::E;
    let twin = Twin::of(board);
    let (g, cells, all) = (&twin.bits, &twin.cells, &inputs(&twin));
    let plus = [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)];
    let places = translations(g, &plus);
    let name = |name: &str| format!("{name}/{label}");
    pair(c, &name("dilation"), all, |i| dilate(g, i.bits.player), |i| cells.dilate(&i.cells.player));
    pair(c, &name("erosion"), all, |i| erode(g, i.bits.player), |i| cells.erode(&i.cells.player));
    pair(c, &name("empty-neighbours"), all, |i| empty_neighbours(g, &i.bits), |i| i.cells.empty_neighbours());
    pair(c, &name("empty-neighbours-east"), all, |i| empty_neighbours_towards(g, &i.bits, D), |i| i.cells.empty_neighbours_towards(D));
    pair(c, &name("enemy-neighbours-east"), all, |i| enemy_neighbours_towards(g, &i.bits, D), |i| i.cells.enemy_neighbours_towards(D));
    pair(c, &name("line-cap-moves"), all, |i| line_cap_moves(g, &i.bits), |i| i.cells.line_cap_moves());
    pair(c, &name("breakthrough-moves"), all, |i| breakthrough_moves(g, &i.bits), |i| i.cells.breakthrough_moves());
    pair(c, &name("line-length"), all, |i| line_length(g, i.bits.player), |i| cells.line_length(&i.cells.player));
    pair(c, &name("line-of-four"), all, |i| has_line_of_four(g, i.bits.player), |i| cells.line_length(&i.cells.player) >= 4);
    pair(c, &name("pattern-plus"), all, |i| find_pattern(&places, i.bits.player), |i| cells.matches(&plus, &i.cells.player).next());
    pair(c, &name("flip-neighbours"), all, |i| flip_enemy_neighbours(g, &i.bits), |i| i.cells.flip_enemy_neighbours());
    pair(c, &name("flip-around-move"), all, |i| flip_around_move(g, &i.bits, i.last), |i| i.cells.flip_around_move(i.last_cell));
    pair(c, &name("press"), all, |i| press(g, i.bits.player, i.last), |i| i.cells.press(i.last_cell));
    pair(c, &name("surround-capture"), all, |i| surround_capture(g, &i.bits), |i| i.cells.surround_capture());
    pair(c, &name("liberties"), all, |i| liberties(g, &i.bits, i.last), |i| i.cells.liberties(i.last_cell));
}

fn boards(criterion: &mut Criterion) {
    let grid = Grid::SquareDiagonal;
    let geometry =
        |width, height, bits| Geometry::<1>::new(grid, width, height, bits).expect("a word");
    on_board(criterion, "7x6", geometry(7, 6, 1));
    on_board(criterion, "8x8-masked", geometry(8, 8, 0));
    let go = Geometry::<6>::new(grid, 19, 19, 1).expect("six words");
    on_board(criterion, "19x19", go);
}

/// Random fills of a board of Y: reduction against flood fill.
fn y_winner(criterion: &mut Criterion) {
    const SIDE: usize = 11;
    let geometry = Geometry::<2>::shaped(Grid::Hexagonal, SIDE, SIDE, 0, |c, r| c + r < SIDE);
    let cells = Cells::of(&geometry.expect("two words"));
    let mut random = SplitMix64::new(3);
    let fill = |_| {
        let mut board = YBoard::new(SIDE).expect("a board");
        for cell in 0..SIDE * SIDE {
            let colour = [Colour::White, Colour::Black][(random.next_word() >> 63) as usize];
            board.set(cell % SIDE, cell / SIDE, Some(colour));
        }
        let white = |cell| board.get(cell % SIDE, cell / SIDE) == Some(Colour::White);
        (cells.select(white), board)
    };
    let fills: Vec<_> = (0..64).map(fill).collect();
    let sides: [Side; 3] = [
        |_, at| at.0 == 0,
        |_, at| at.1 == 0,
        |w, at| at.0 + at.1 + 1 == w,
    ];
    let naive = |(white, _): &(Vec<bool>, YBoard)| cells.connects(white, &sides);
    pair(
        criterion,
        "y-winner/side-11",
        &fills,
        |(_, board)| board.winner(),
        naive,
    );
}

fn updates(criterion: &mut Criterion) {
    let mut random = SplitMix64::new(2);
    let fills: Vec<_> = (0..64).map(|_| random.next_word()).collect();
    let both: Vec<_> = fills
        .iter()
        .map(|&live| (live, naive::from_word(live)))
        .collect();
    pair(
        criterion,
        "torus-life/8x8",
        &both,
        |(live, _)| life::step(*live),
        |(_, live)| naive::life(live),
    );
    let soma = packing::soma();
    let naive = |_: &()| naive::packings([3, 3, 3], &SOMA);
    pair(
        criterion,
        "soma/3x3x3",
        &[()],
        |()| soma.count(Fixes::BOTH),
        naive,
    );
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(700));
    targets = boards, y_winner, updates
}
criterion_main!(benches);
