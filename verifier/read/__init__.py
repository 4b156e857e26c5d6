"""From a text to what it asserts, by grammar."""
