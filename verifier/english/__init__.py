"""What English says how: word lists and phrases as TOML, each with one reader."""
