"""A graph behind a SPARQL 1.1 endpoint, as the verifier wants it: `kgstore.remote.graph.RemoteGraph`."""
