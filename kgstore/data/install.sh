#!/bin/sh
# Installs kgstore from this folder, without any network:  sh install.sh [FOLDER]
# FOLDER becomes a virtual environment; PYTHON names another python3 than the first on the path.
set -eu
unset PYTHONPATH PYTHONHOME
here=$(cd "$(dirname "$0")" && pwd)
target=${1:-kgstore-venv}
python=${PYTHON:-python3}
cd "$here"
if command -v sha256sum >/dev/null; then sha256sum --quiet -c SHA256SUMS; else shasum -a 256 --quiet -c SHA256SUMS; fi
wanted=$(cat PYTHON_VERSION)
found=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
if [ "$wanted" != "$found" ]; then
    echo "these wheels are for Python $wanted, $python is $found: name another one, PYTHON=/path/to/python$wanted" >&2
    exit 2
fi
cd - >/dev/null
"$python" -m venv "$target"
"$target/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile --no-index \
    --find-links "$here/wheels" "$(cat "$here/REQUIREMENT")"
"$target/bin/kgstore" --version
# Does it work? This also compiles what is used, a fifth of what pip would compile, also for users who cannot write there.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf 'name,place of birth@entity\nAda Lovelace,London\n' > "$scratch/try.csv"
"$target/bin/kgstore" load "$scratch/try.csv" --kg "$scratch/try.kg" -q >/dev/null
"$target/bin/kgstore" verify --text "Ada Lovelace was born in London." --kg "$scratch/try.kg" -q >/dev/null
echo "installed in $target: try $target/bin/kgstore demo"
