"""How good the verdicts are."""
