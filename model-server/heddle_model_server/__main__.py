"""`python -m heddle_model_server`: serves a model, or makes the demo model."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
import time
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(prog="heddle_model_server", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    from .settings import add_settings, settings_of

    serving = commands.add_parser("serve", help="load a model and answer over gRPC")
    add_settings(serving)
    making = commands.add_parser("make-demo-model", help="make the tiny chat model, without downloads")
    making.add_argument("folder", type=Path)
    making.add_argument("--force", action="store_true", help="make it again if it is there")
    probing = commands.add_parser("probe", help="ask the node on this machine whether it takes requests")
    probing.add_argument("--alive", action="store_true", help="ask only whether it works at all")
    probing.add_argument("--ca", default="", help="with TLS: the authority's certificate (PEM)")
    probing.add_argument("--name", default="", help="with TLS: a name that the node's certificate is for")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    # Before torch is there: idle threads of its pool would burn the cores of whoever else runs here.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    if arguments.command == "make-demo-model":
        return make(arguments.folder, arguments.force)
    try:
        settings = settings_of(arguments)
    except ValueError as error:
        parser.error(str(error))
    if arguments.command == "probe":
        from .probe import probe

        return probe(settings, arguments.alive, arguments.ca, arguments.name)
    if not settings.model:
        parser.error("name a model: --model FOLDER, or make one with make-demo-model")
    # Else it would be taken for a name on the hub, and what the hub's library says of it helps nobody.
    if settings.model.startswith(("/", ".")) and not Path(settings.model).is_dir():
        print(f"The node can't start: there is no folder {settings.model} with a model in it", file=sys.stderr)
        return 1
    from .server.serve import serve

    # Checkpoints, adapters and what its own processes write are this user's alone.
    os.umask(0o077)

    try:
        asyncio.run(serve(settings))
    except (ValueError, OSError, RuntimeError) as error:
        print(f"The node can't start: {error}", file=sys.stderr)
        return 1
    return 0


def make(folder: Path, force: bool) -> int:
    if (folder / "config.json").exists() and not force:
        print(f"{folder} is there already")
        return 0
    from .demo.make import make_demo_model

    began = time.monotonic()
    make_demo_model(folder)
    print(f"made {folder} in {time.monotonic() - began:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
