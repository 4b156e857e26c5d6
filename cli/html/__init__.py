"""Reports as one annotated page that needs nothing but a browser, neither network nor JavaScript."""
