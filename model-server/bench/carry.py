"""What the bench of a GPU needs on a machine that has torch, transformers, peft, Triton and gRPC, but no network: packed in parts
that are small enough to be carried there one by one.

python bench/carry.py pack [--to .cache/carry] [--part-mb 46]    where packages can be had
python bench/carry.py unpack FOLDER --into /tmp/heddle-carry     there, after each part; prints what to put on PYTHONPATH

`train` holds what training needs and the generated code of the node's messages; `serve` vLLM besides, the newest that runs with that
torch, without the kernels that no Llama on a Hopper card asks for."""

from __future__ import annotations

import argparse
import lzma
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
NODE = HERE.parent
# For CPython 3.12 on x86-64.
PLATFORM = ["--python-platform=x86_64-manylinux_2_31", "--python-version=3.12", "--no-deps", "--quiet"]
# Of requirements.in; the rest is there already.
TRAIN = ("pydantic", "pydantic-core", "annotated-types", "typing-inspection", "llguidance", "liger-kernel")
SERVE = HERE / "carry-vllm.txt"
# Kernels of other cards and other models, data of other tokenizers, sources of kernels.
LEFT_OUT = re.compile(
    r"_vllm_fa2_|_moe_C_|_qutlass_|_flashmla_|vllm/vllm-rs$|third_party/(\w+/include|fmha_sm100)/|pycountry/locales/"
    r"|mistral_common/data/.|__pycache__"
)
# An eighth smaller than by a preset alone: most of it is machine code.
FILTERS = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": 2**27}]


def pinned(names: tuple[str, ...]) -> list[str]:
    """The packages with the versions that the node's lists pin."""
    lines = "\n".join((NODE / name).read_text() for name in ("requirements.txt", "requirements-gpu.txt"))
    found = dict(re.findall(r"^([\w-]+)==([\w.+]+)", lines, re.MULTILINE)[::-1])
    return [f"{name}=={found[name]}" for name in names]


def pack(to: Path, part_bytes: int) -> None:
    """Writes `train.tar.xz` and `serve.tar.xz` in parts, each in a folder of its own: what is carried in one go."""
    shutil.rmtree(to, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        train, serve = Path(scratch) / "train", Path(scratch) / "serve"
        uv = [str(Path(sys.executable).parent / "uv"), "pip", "install", *PLATFORM, "--target"]
        subprocess.run([*uv, str(train), *pinned(TRAIN)], check=True)
        subprocess.run([*uv, str(serve), "-r", str(SERVE)], check=True)
        shutil.copytree(NODE / "heddle", train / "heddle", ignore=shutil.ignore_patterns("__pycache__"))
        number = 0
        for folder in (train, serve):
            archive = Path(scratch) / f"{folder.name}.tar.xz"
            with lzma.open(archive, "wb", filters=FILTERS) as packed, tarfile.open(fileobj=packed, mode="w|") as tar:
                tar.add(folder, ".", filter=lambda one: None if LEFT_OUT.search(one.name) else one)
            for part in pieces(archive, part_bytes, to):
                number += 1
                print(f"{to / str(number)}: {part.name}, {part.stat().st_size / 2**20:.1f} MiB")


def pieces(archive: Path, most: int, to: Path) -> Iterator[Path]:
    """The archive cut into files named NAME.tar.xz.AT-of-COUNT, each in the next numbered folder of `to`."""
    count = -(-archive.stat().st_size // most)
    with archive.open("rb") as source:
        for at in range(1, count + 1):
            folder = to / str(len(list(to.glob("*"))) + 1)
            folder.mkdir(parents=True)
            part = folder / f"{archive.name}.{at}-of-{count}"
            part.write_bytes(source.read(most))
            yield part


def unpack(folder: Path, into: Path) -> None:
    """Takes up the parts in a folder, in any order; an archive whose last part has come is extracted."""
    into.mkdir(parents=True, exist_ok=True)
    for part in folder.rglob("*-of-*"):
        shutil.copy(part, into / part.name)
    for name in ("serve", "train"):
        parts = sorted(into.glob(f"{name}.tar.xz.*"), key=lambda one: int(re.findall(r"(\d+)-of", one.name)[0]))
        if parts and parts[-1].name.endswith(f".{len(parts)}-of-{len(parts)}"):
            whole = into / f"{name}.tar.xz"
            with whole.open("wb") as file:
                for one in parts:
                    file.write(one.read_bytes())
                    one.unlink()
            with tarfile.open(whole) as tar:
                tar.extractall(into / name, filter="data")
            whole.unlink()
    print(":".join(str(into / name) for name in ("serve", "train") if (into / name).exists()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    packing = verbs.add_parser("pack")
    packing.add_argument("--to", type=Path, default=NODE / ".cache" / "carry")
    packing.add_argument("--part-mb", type=int, default=46)
    unpacking = verbs.add_parser("unpack")
    unpacking.add_argument("folder", type=Path)
    unpacking.add_argument("--into", type=Path, required=True)
    arguments = parser.parse_args()
    if arguments.verb == "pack":
        pack(arguments.to, arguments.part_mb << 20)
    else:
        unpack(arguments.folder, arguments.into)


if __name__ == "__main__":
    main()
