"""Local language models: how they are run, asked and checked."""
