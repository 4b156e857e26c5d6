"""Checking a text against a document in place of a knowledge graph."""
