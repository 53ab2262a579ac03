"""Prints symbols.txt: what torch's Linux wheel wants of CUDA's libraries. For who changes torch's version.

Run it with an interpreter that has the whole of requirements-cuda.txt; it needs binutils (`nm`, `readelf`).
After a line that names torch's version, a line is a library, a version of its symbols (`-` for none), and the symbols. Without libcudart, which is installed
as it is: transformers calls it on machines without a GPU, too.
"""

import re
import subprocess
import sysconfig
from collections import defaultdict
from importlib.metadata import version as version_of
from pathlib import Path

PACKAGES = Path(sysconfig.get_path("purelib"))
CUDA = {file.name: file for file in PACKAGES.glob("nvidia/**/lib/*.so*") if not file.name.startswith("libcudart")}


def output(*command: object) -> str:
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout


def defined(library: Path) -> set[str]:
    return {line.split()[-1].partition("@")[0] for line in output("nm", "-D", "--defined-only", library).splitlines()}


def main() -> None:
    print(f"# torch {version_of('torch')}")
    needed: set[str] = set()
    wanted: set[tuple[str, str]] = set()
    versions: dict[str, set[str]] = defaultdict(set)
    for library in [*PACKAGES.glob("torch/lib/*.so*"), *PACKAGES.glob("torch/_C*.so")]:
        needed |= set(re.findall(r"NEEDED.*\[(.*)\]", output("readelf", "-d", library))) & CUDA.keys()
        for line in output("nm", "-D", "--undefined-only", library).splitlines():
            name, _, version = line.split()[-1].partition("@")
            wanted.add((name, version.strip("@")))
        file = ""
        for line in output("readelf", "-V", "-W", library).splitlines():
            if found := re.search(r"File: (\S+)", line):
                file = found[1]
            if (found := re.search(r"Name: (\S+)\s+Flags", line)) and file in CUDA:
                versions[file].add(found[1])
    for library in sorted(needed):
        exported = defined(CUDA[library])
        symbols: dict[str, set[str]] = {version: set() for version in versions[library]}
        for name, version in wanted:
            # libcufile shows its C++ library, too.
            if name in exported and not name.startswith("_Z") and (not version or version in versions[library]):
                symbols.setdefault(version, set()).add(name)
        for version in sorted(symbols) or [""]:
            print(library, version or "-", *sorted(symbols.get(version, ())))


if __name__ == "__main__":
    main()
