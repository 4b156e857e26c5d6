"""The published methods, and one registry of them."""
