"""`python -m heddle_model_server`: serves a model, makes the demo model, or probes a node."""

import argparse
import asyncio
import logging
import os
import sys
import time
from pathlib import Path


def main() -> int:
    """Parses the command line and runs the command. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="heddle_model_server", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    from .settings import add_settings, settings_of

    serving = commands.add_parser("serve", help="load a model and serve it over gRPC")
    add_settings(serving)
    making = commands.add_parser("make-demo-model", help="make a tiny demo model, without downloads")
    making.add_argument("folder", type=Path)
    kind = making.add_mutually_exclusive_group()
    kind.add_argument("--chats", dest="embeds", action="store_false", help="make the one that chats: the default")
    kind.add_argument("--embeds", action="store_true", help="make the one that makes embeddings")
    # Else the first of the two would decide.
    making.set_defaults(embeds=False)
    making.add_argument("--force", action="store_true", help="replace an existing model")
    probing = commands.add_parser("probe", help="check whether the node on this machine takes requests")
    add_settings(probing)
    probing.add_argument("--alive", action="store_true", help="check only whether it is alive")
    probing.add_argument("--ca", default="", help="with TLS: the authority's certificate (PEM)")
    probing.add_argument("--name", default="", help="with TLS: a name that the node's certificate is for")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    # Set before torch is imported: idle threads of its pool would spin on the cores of other processes.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    # Whether there is a GPU is asked without using it, so that forks still can.
    os.environ.setdefault("PYTORCH_NVML_BASED_CUDA_CHECK", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    if arguments.command == "make-demo-model":
        return make(arguments.folder, arguments.embeds, arguments.force)
    try:
        settings = settings_of(arguments)
    except ValueError as error:
        parser.error(str(error))
    if arguments.command == "probe":
        from .node.probe import probe

        return probe(settings, arguments.alive, arguments.ca, arguments.name)
    if not settings.model:
        parser.error("--model is missing: name a folder, or make a model with make-demo-model")
    # Otherwise the path would be taken for a hub name, and the hub library's error would not help.
    if settings.model.startswith(("/", ".")) and not Path(settings.model).is_dir():
        print(f"The node can't start: model folder not found: {settings.model}", file=sys.stderr)
        return 1
    from .forks import Forks, load

    node = load("heddle_model_server.node.serve")
    from .train.process import LOADED

    # Only this user may read checkpoints, adapters and the files of child processes.
    os.umask(0o077)

    forks = Forks(LOADED) if settings.train else None
    try:
        asyncio.run(node.serve(settings, forks))
    except (ValueError, OSError, RuntimeError) as error:
        print(f"The node can't start: {error}", file=sys.stderr)
        return 1
    return 0


def make(folder: Path, embeds: bool, force: bool) -> int:
    """Makes a demo model in `folder`, unless one is already there. Returns the exit status."""
    if (folder / "config.json").exists() and not force:
        print(f"{folder} already exists")
        return 0
    from .demo.make import make_demo_model
    from .demo.make_embedder import make_demo_embedder

    began = time.monotonic()
    (make_demo_embedder if embeds else make_demo_model)(folder)
    print(f"made {folder} in {time.monotonic() - began:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
