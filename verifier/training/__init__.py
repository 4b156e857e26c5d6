"""How the shipped judge came to be, and how to tune it on a graph of one's own."""
