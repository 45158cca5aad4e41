//! Antipode: derives published claims about puzzles again and says which hold.
