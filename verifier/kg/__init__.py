"""What the verifier asks of a graph."""
