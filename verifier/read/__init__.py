"""From a text to what it asserts."""
