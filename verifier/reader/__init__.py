"""The learned reader of relations, guided by the graph."""
