"""From names in a text to entities."""
