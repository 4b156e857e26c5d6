"""The web page and the REST interface of `kgstore serve`. starlette and uvicorn are imported in this folder only."""
