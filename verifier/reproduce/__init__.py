"""Tables of the papers, computed again on data that the user has. One file a paper; `tables.py` lists them."""
