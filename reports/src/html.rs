//! One page for people: verdicts, evidence, boards and level sizes in a single HTML file.
