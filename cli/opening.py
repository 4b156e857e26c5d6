"""Opens a KG for the commands that compare meanings."""

from __future__ import annotations

from pathlib import Path

from kgstore.cli.render import note
from kgstore.embedding import Embedder, load_embedder
from kgstore.errors import InputError
from kgstore.opening import KG, open_kg


def open_store(kg: Path, embedder: Path | None = None) -> KG:
    """A store for reading.

    :param embedder: folder of the model that the KG was loaded with, if that is not the built-in one
    :raises InputError: if the KG was loaded with another model
    :raises ModelMissing: if there is no model in the folder
    """
    store = open_kg(kg, note)
    if embedder is not None:
        model = load_embedder(embedder)
        check_embedder(store, kg, embedder, model)
        store.embedder = model
    return store


def check_embedder(store: KG, kg: Path, folder: Path | None, model: Embedder) -> None:
    """Close the store if the KG was loaded with another model than that of the folder.

    :raises InputError: in this case
    """
    made_with = store.manifest.embedder if store.manifest else None
    if folder is not None and made_with not in (None, model.fingerprint):
        store.close()
        why = f"{folder} is not the model that {kg} was loaded with"
        raise InputError(why, f"name that one, or run `kgstore index --embedder {folder} --kg {kg}`")
