"""Doctests know a file by its path, Python by its package: ``verifier.claims`` is `kgstore.verifier.claims`."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

FOLDERS = ("cli", "loaders", "verifier")


class _Installed(MetaPathFinder, Loader):
    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name.split(".")[0] in FOLDERS else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(f"kgstore.{spec.name}")
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = module.__spec__.loader_state  # its own again


sys.meta_path.insert(0, _Installed())
