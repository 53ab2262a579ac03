"""The libraries in the place of CUDA's: they load, and have each symbol in its version."""

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "cuda-stubs"
HEAD, *LINES = [line.split() for line in (ROOT / "symbols.txt").read_text().splitlines()]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the format is Linux's")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("stubs")
    subprocess.run([sys.executable, str(ROOT / "write.py"), str(out)], check=True)
    return out


@pytest.mark.parametrize("soname, version, names", [(soname, version, names) for soname, version, *names in LINES])
def test_each_symbol_is_there_in_its_version(folder, soname, version, names):
    library = ctypes.CDLL(str(folder / soname), mode=ctypes.RTLD_LOCAL)
    find = ctypes.CDLL(None).dlvsym
    find.restype = ctypes.c_void_p
    find.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]
    for name in names:
        assert getattr(library, name)() == 35
        if version != "-":
            assert find(library._handle, name.encode(), version.encode())
            assert not find(library._handle, name.encode(), b"another")
    assert not hasattr(library, "no_such_function")


def test_they_are_of_the_torch_that_is_installed():
    assert f"torch=={HEAD[-1]}" in (ROOT.parent / "requirements.in").read_text().splitlines()
