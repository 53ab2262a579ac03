"""Writes libraries without content in the place of CUDA's, so that torch's Linux wheel loads on a machine without a GPU.

    python write.py FOLDER

torch from PyPI links 13 libraries of 3 GB that it never calls without a GPU. symbols.txt has what it wants of each; each
of these functions returns an error here. The format is the ELF specification's (gABI, chapters 4 and 5) with GNU's symbol
versions (LSB, "Symbol Versioning"). Only for x86-64. It knows nothing of torch.
"""

import struct
import sys
from pathlib import Path

PAGE = 0x1000
# mov eax, 35; ret. 35 is cudaErrorInsufficientDriver; other libraries have no success but 0 either.
CODE = b"\xb8\x23\0\0\0\xc3"

# Segment types and flags, dynamic tags, symbol and version constants, by the names that the specifications have.
PT_LOAD, PT_DYNAMIC, PT_GNU_STACK = 1, 2, 0x6474E551
PF_X, PF_W, PF_R = 1, 2, 4
DT_NULL, DT_HASH, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_SYMENT, DT_SONAME = 0, 4, 5, 6, 10, 11, 14
DT_VERSYM, DT_VERDEF, DT_VERDEFNUM = 0x6FFFFFF0, 0x6FFFFFFC, 0x6FFFFFFD
GLOBAL_FUNCTION = 1 << 4 | 2
VER_FLG_BASE, VER_NDX_GLOBAL = 1, 1


def elf_hash(name: bytes) -> int:
    """The hash of gABI's "Hash Table"."""
    value = 0
    for byte in name:
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ high >> 24) & ~high
    return value


class Strings:
    """A string table: NUL-terminated names, found by their offset."""

    def __init__(self) -> None:
        self.data = bytearray(b"\0")

    def add(self, name: str) -> int:
        offset = len(self.data)
        self.data += name.encode() + b"\0"
        return offset


def hash_table(names: list[str]) -> bytes:
    """`DT_HASH` over symbols 1…n; symbol 0 is the undefined one."""
    size = len(names) + 1
    buckets, chains = [0] * size, [0] * size
    for index, name in enumerate(names, 1):
        bucket = elf_hash(name.encode()) % size
        chains[index], buckets[bucket] = buckets[bucket], index
    return struct.pack(f"<{2 + 2 * size}I", size, size, *buckets, *chains)


def version_definitions(soname: str, versions: list[str], strings: Strings) -> bytes:
    """`DT_VERDEF`: the library itself as version 1, then each version of its symbols from 2 on."""
    out = b""
    for index, version in enumerate([soname, *versions], 1):
        following = 0 if index > len(versions) else 28
        flags = VER_FLG_BASE if index == 1 else 0
        out += struct.pack("<HHHHIII", 1, flags, index, 1, elf_hash(version.encode()), 20, following)
        out += struct.pack("<II", strings.add(version), 0)
    return out


def library(soname: str, symbols: dict[str, list[str]]) -> bytes:
    """A shared object that exports `symbols`, by version (`-`: none), all of which are the same function."""
    strings = Strings()
    versions = [version for version in symbols if version != "-"]
    names = [name for version in symbols for name in symbols[version]]
    versyms = [0] + [
        VER_NDX_GLOBAL if version == "-" else 2 + versions.index(version)
        for version in symbols
        for _ in symbols[version]
    ]
    verdef = version_definitions(soname, versions, strings)
    soname_at = strings.add(soname)

    # What is read (headers, tables, code) is one segment, what the loader writes to (the dynamic section) another.
    header_size = 64 + 4 * 56
    code_at = header_size
    symtab = bytes(24) + b"".join(
        struct.pack("<IBBHQQ", strings.add(name), GLOBAL_FUNCTION, 0, 1, code_at, len(CODE)) for name in names
    )
    tables = {
        "code": CODE,
        "hash": hash_table(names),
        "symtab": symtab,
        "versym": struct.pack(f"<{len(versyms)}H", *versyms),
        "verdef": verdef,
        "strtab": bytes(strings.data),
    }
    body, places = bytearray(header_size), {}
    for name, table in tables.items():
        body += bytes(-len(body) % 8)
        places[name] = len(body)
        body += table
    assert places["code"] == code_at
    read_size = len(body)
    body += bytes(-len(body) % PAGE)
    dynamic_at = len(body)
    entries = [
        (DT_SONAME, soname_at),
        (DT_HASH, places["hash"]),
        (DT_SYMTAB, places["symtab"]),
        (DT_SYMENT, 24),
        (DT_STRTAB, places["strtab"]),
        (DT_STRSZ, len(strings.data)),
    ]
    if versions:
        entries += [(DT_VERSYM, places["versym"]), (DT_VERDEF, places["verdef"]), (DT_VERDEFNUM, 1 + len(versions))]
    dynamic = b"".join(struct.pack("<QQ", *entry) for entry in [*entries, (DT_NULL, 0)])
    body += dynamic

    def segment(kind: int, flags: int, at: int, size: int, align: int) -> bytes:
        return struct.pack("<IIQQQQQQ", kind, flags, at, at, at, size, size, align)

    header = b"\x7fELF" + bytes([2, 1, 1]) + bytes(9)  # 64 bits, little-endian, version 1
    header += struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, 4, 0, 0, 0)  # a shared object for x86-64
    header += segment(PT_LOAD, PF_R | PF_X, 0, read_size, PAGE)
    header += segment(PT_LOAD, PF_R | PF_W, dynamic_at, len(dynamic), PAGE)
    header += segment(PT_DYNAMIC, PF_R | PF_W, dynamic_at, len(dynamic), 8)
    header += segment(PT_GNU_STACK, PF_R | PF_W, 0, 0, 16)
    body[: len(header)] = header
    return bytes(body)


def main(folder: Path) -> None:
    libraries: dict[str, dict[str, list[str]]] = {}
    for line in Path(__file__).with_name("symbols.txt").read_text().splitlines()[1:]:
        soname, version, *names = line.split()
        libraries.setdefault(soname, {})[version] = names
    folder.mkdir(parents=True, exist_ok=True)
    for soname, symbols in libraries.items():
        (folder / soname).write_bytes(library(soname, symbols))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
