//! The boards of a part, numbered by the contents of their places, one after another.

use std::fmt::Debug;
use std::hash::Hash;

use foldhash::{HashMap, HashMapExt};

/// A way to fill boards.
pub trait Filling {
    /// The contents of the first places, as far as the others depend on them.
    type State: Clone + Debug + Eq + Hash;
    /// The content of one place.
    type Choice: Clone + Debug + PartialEq;

    fn nothing(&self) -> Self::State;

    /// The possible contents of the next place, in the order of ranks, and the state after each;
    /// `None` if the board is complete.
    fn next(&self, state: &Self::State) -> Option<Vec<(Self::Choice, Self::State)>>;
}

/// Boards counted by the contents of their first places.
#[derive(Debug)]
pub struct Counted<F: Filling> {
    pub(crate) filling: F,
    /// The states that follow a state are before it; the last one is the empty board.
    nodes: Vec<Node<F>>,
}

#[derive(Debug)]
struct Node<F: Filling> {
    state: F::State,
    boards: u64,
    /// The possible next contents; `None` if the board is complete.
    edges: Option<Vec<Edge<F>>>,
}

#[derive(Debug)]
struct Edge<F: Filling> {
    choice: F::Choice,
    to: usize,
    /// Ranks of the boards with an earlier choice.
    before: u64,
}

impl<F: Filling> Counted<F> {
    pub fn new(filling: F) -> Self {
        let nothing = filling.nothing();
        let nodes = Vec::new();
        let mut counted = Self { filling, nodes };
        counted.add(nothing, &mut HashMap::new());
        counted
    }

    fn add(&mut self, state: F::State, known: &mut HashMap<F::State, usize>) -> usize {
        if let Some(&node) = known.get(&state) {
            return node;
        }
        let mut boards = 0;
        let edges = self.filling.next(&state).map(|next| {
            let edge = |(choice, to)| {
                let (to, before) = (self.add(to, known), boards);
                boards += self.nodes[to].boards;
                Edge { choice, to, before }
            };
            next.into_iter().map(edge).collect()
        });
        if edges.is_none() {
            boards = 1;
        }
        known.insert(state.clone(), self.nodes.len());
        self.nodes.push(Node {
            state,
            boards,
            edges,
        });
        self.nodes.len() - 1
    }

    fn first(&self) -> &Node<F> {
        &self.nodes[self.nodes.len() - 1]
    }

    pub fn boards(&self) -> u64 {
        self.first().boards
    }

    pub fn rank(&self, choices: impl Iterator<Item = F::Choice>) -> Option<u64> {
        let (mut node, mut rank) = (self.first(), 0);
        for choice in choices {
            let mut edges = node.edges.as_ref()?.iter();
            let edge = edges.find(|edge| edge.choice == choice)?;
            (node, rank) = (&self.nodes[edge.to], rank + edge.before);
        }
        node.edges.is_none().then_some(rank)
    }

    pub fn unrank(&self, rank: u64) -> Option<Vec<F::Choice>> {
        if rank >= self.boards() {
            return None;
        }
        // Capacity for most boards: growing costs more than looking up a choice.
        let mut choices = Vec::with_capacity(32);
        let (mut node, mut rest) = (self.first(), rank);
        while let Some(edges) = &node.edges {
            let edge = &edges[edges.partition_point(|edge| edge.before <= rest) - 1];
            choices.push(edge.choice.clone());
            (node, rest) = (&self.nodes[edge.to], rest - edge.before);
        }
        Some(choices)
    }

    /// Every board whose choices are all wanted.
    pub fn each(
        &self,
        wanted: &dyn Fn(&F::State, &F::Choice) -> bool,
        emit: &mut dyn FnMut(&[F::Choice]),
    ) {
        self.each_from(self.first(), &mut Vec::new(), wanted, emit);
    }

    fn each_from(
        &self,
        node: &Node<F>,
        choices: &mut Vec<F::Choice>,
        wanted: &dyn Fn(&F::State, &F::Choice) -> bool,
        emit: &mut dyn FnMut(&[F::Choice]),
    ) {
        let Some(edges) = &node.edges else {
            return emit(choices);
        };
        for edge in edges {
            let to = &self.nodes[edge.to];
            if to.boards > 0 && wanted(&node.state, &edge.choice) {
                choices.push(edge.choice.clone());
                self.each_from(to, choices, wanted, emit);
                choices.pop();
            }
        }
    }
}
