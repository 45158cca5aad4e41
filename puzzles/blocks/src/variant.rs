//! A variant of a block puzzle: what it computes itself, and what all of them share.

use std::ops::Deref;

use puzzle_api::{BadInput, Names, Puzzle, RandomStates, Request, Undirected, Xorshift};

use crate::rules::{Drawn, Game, moves_of};

type KeyOf<P> = <<P as Play>::Game as Game>::Key;

/// How a variant plays an instance. Boards as text, names and draws are those of the instance.
pub trait Play: Sized + Send + Sync + 'static {
    type Game: Game;
    type State: Clone;

    const VARIANT: &'static str = "bitboard";

    /// The variant on an instance.
    fn new(game: Self::Game) -> Self;

    fn game(&self) -> &Self::Game;

    fn key(&self, state: &Self::State) -> KeyOf<Self>;

    fn state(&self, key: KeyOf<Self>) -> Self::State;

    /// Every board after one move.
    fn successors(&self, state: &Self::State, emit: &mut dyn FnMut(Self::State));

    fn is_solved(&self, state: &Self::State) -> bool;

    /// The same of several boards.
    fn solved_all(&self, states: &[Self::State], solved: &mut Vec<bool>) {
        solved.extend(states.iter().map(|state| self.is_solved(state)));
    }
}

/// A variant of a puzzle, opened on an instance.
pub struct Variant<P>(pub(crate) P);

impl<P> Deref for Variant<P> {
    type Target = P;

    #[inline]
    fn deref(&self) -> &P {
        &self.0
    }
}

impl<P: Play> Variant<P> {
    pub fn new(game: P::Game) -> Self {
        Self(P::new(game))
    }

    /// A board of the instance, in the form of this variant.
    fn of_board(&self, board: &<P::Game as Game>::Board) -> P::State {
        self.0.state(self.game().key(board))
    }

    /// The inverse.
    fn board(&self, state: &P::State) -> <P::Game as Game>::Board {
        self.game().board(self.0.key(state))
    }
}

impl<P: Play> Puzzle for Variant<P> {
    type Key = KeyOf<P>;
    type State = P::State;

    const VARIANT: &'static str = P::VARIANT;

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        P::Game::open(request).map(Self::new)
    }

    fn starts(&self, emit: &mut dyn FnMut(P::State)) {
        let start = self.game().start().into_iter();
        start.map(|board| self.of_board(&board)).for_each(emit);
    }

    #[inline]
    fn successors(&self, state: &P::State, emit: &mut dyn FnMut(P::State)) {
        self.0.successors(state, emit);
    }

    #[inline]
    fn is_solved(&self, state: &P::State) -> bool {
        self.0.is_solved(state)
    }

    #[inline]
    fn solved_all(&self, states: &[P::State], solved: &mut Vec<bool>) {
        self.0.solved_all(states, solved);
    }

    #[inline]
    fn key(&self, state: &P::State) -> KeyOf<P> {
        self.0.key(state)
    }

    #[inline]
    fn state(&self, key: KeyOf<P>) -> P::State {
        self.0.state(key)
    }

    fn parse(&self, text: &str) -> Result<P::State, BadInput> {
        Ok(self.of_board(&self.game().parse(text)?))
    }

    fn draw(&self, state: &P::State) -> String {
        self.game().draw(&self.board(state))
    }
}

impl<P: Play> Names for Variant<P> {
    fn describe_move(&self, from: &P::State, to: &P::State) -> Option<String> {
        self.game()
            .describe_move(&self.board(from), &self.board(to))
    }

    fn names(&self) -> Vec<String> {
        self.game().names()
    }
}

/// A piece can go back the way that it came.
impl<P: Play> Undirected for Variant<P> {}

impl<P: Play<Game: Drawn>> RandomStates for Variant<P> {
    fn random(&self, random: &mut Xorshift) -> Option<P::State> {
        let board = self.game().random(random)?;
        Some(self.of_board(&board))
    }
}

pub struct Literal<G: Game> {
    pub(crate) game: G,
    pub(crate) numbers: G::Numbers,
}

pub type Rules<G> = Variant<Literal<G>>;

impl<G: Game> Play for Literal<G> {
    type Game = G;
    type State = G::Board;

    const VARIANT: &'static str = "reference";

    fn new(game: G) -> Self {
        let numbers = game.numbers();
        Self { game, numbers }
    }

    fn game(&self) -> &G {
        &self.game
    }

    fn key(&self, board: &G::Board) -> G::Key {
        self.game.key(board)
    }

    fn state(&self, key: G::Key) -> G::Board {
        self.game.board(key)
    }

    fn successors(&self, board: &G::Board, emit: &mut dyn FnMut(G::Board)) {
        for piece in 0..self.game.pieces(board) {
            let next = moves_of(&self.game, board, piece);
            next.into_iter().for_each(&mut *emit);
        }
    }

    fn is_solved(&self, board: &G::Board) -> bool {
        self.game.is_solved(board)
    }
}
