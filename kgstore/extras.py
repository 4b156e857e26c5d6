"""Which of our extras brings a library that the base installation lacks."""

from __future__ import annotations

EXTRAS = {
    "torch": "train", "transformers": "train", "sentence_transformers": "train", "onnx": "train",
    "llama_cpp": "llm", "accelerate": "grounding", "gguf": "grounding", "xgboost": "grounding",
    "scipy": "grounding", "tokenizers": "train",
    "networkx": "kea", "grakel": "kea", "rdflib": "rdf", "oxrdflib": "rdf", "pyshacl": "rdf", "matplotlib": "plot",
    "pyarrow": "frames", "pandas": "frames",
    "starlette": "server", "uvicorn": "server", "python_multipart": "server", "docx": "server", "pypdf": "server",
    "mcp": "mcp", "pydantic": "mcp", "prompt_toolkit": "shell", "ray": "ray",
    "langchain_core": "langchain", "xllamacpp": "llm-wheel",
}  # fmt: skip
"""Module -> extra."""


def hint(error: ModuleNotFoundError) -> str | None:
    """What to install, if the missing module is one of an extra's.

    >>> hint(ModuleNotFoundError("No module named 'torch'", name="torch"))
    "torch is not installed: pip install 'kgstore[train]'"
    >>> hint(ModuleNotFoundError("No module named 'wrong'", name="wrong"))
    """
    module = (error.name or "").split(".")[0]
    return f"{module} is not installed: pip install 'kgstore[{EXTRAS[module]}]'" if module in EXTRAS else None
