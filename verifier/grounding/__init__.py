"""How an answer of a language model over a subgraph came about, and how likely it is wrong (PRD, SAS, GGA)."""
