"""Each call of vLLM is one that the vLLM at hand takes, by its source: it is not imported, which needs a card's libraries. For
versions that no other test runs, such as the one that `bench/carry.py` packs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import heddle_model_server
from heddle_model_server.settings import NodeSettings

VLLM = find_spec("vllm")
if VLLM is None:
    pytest.skip("there is no vLLM", allow_module_level=True)
PLACE = Path(VLLM.submodule_search_locations[0])
OURS = Path(heddle_model_server.__file__).parent / "engine_vllm"


def nodes(kind: type, file: Path) -> Iterator:
    return (node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, kind))


def class_of(name: str, file: str) -> ast.ClassDef:
    return next(node for node in nodes(ast.ClassDef, PLACE / file) if node.name == name)


def fields_of(name: str, file: str) -> list[str]:
    return [one.target.id for one in class_of(name, file).body if isinstance(one, ast.AnnAssign)]


def test_what_is_imported_is_there():
    for found in (node for file in OURS.glob("*.py") for node in nodes(ast.ImportFrom, file)):
        if found.level == 0 and found.module.partition(".")[0] == "vllm":
            module = PLACE.joinpath(*found.module.split(".")[1:])
            text = (module / "__init__.py" if module.is_dir() else module.with_suffix(".py")).read_text()
            assert [one.name for one in found.names if one.name not in text] == [], found.module


def test_methods_of_the_engine_take_what_they_are_given():
    methods = {
        one.name: one.args for one in class_of("AsyncLLM", "v1/engine/async_llm.py").body if hasattr(one, "args")
    }
    called = set()
    for call in nodes(ast.Call, OURS / "engine.py"):
        if not (isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "self._llm"):
            continue
        takes = methods[call.func.attr]
        # `**self._more(…)`
        named = {name for one in call.keywords for name in ([one.arg] if one.arg else ["lora_request", "priority"])}
        by_name = {one.arg for one in [*takes.args[len(call.args) + 1 :], *takes.kwonlyargs]}
        assert len(call.args) < len(takes.args) and (named <= by_name or takes.kwarg), call.func.attr
        called.add(call.func.attr)
    assert called >= {"add_request", "generate", "encode", "abort", "sleep", "wake_up", "add_lora", "remove_lora"}


def test_parameters_are_known():
    source = OURS / "sampling_params.py"
    (same,) = (one.value for one in nodes(ast.Assign, source) if ast.unparse(one.targets[0]) == "SAME")
    names = {one.value for one in ast.walk(same) if isinstance(one, ast.Constant)}
    made = [one.keywords for one in nodes(ast.Call, source) if ast.unparse(one.func) == "SamplingParams"]
    names |= {one.arg for keywords in made for one in keywords if one.arg}
    assert len(made) == 2 and names <= set(fields_of("SamplingParams", "sampling_params.py"))


@pytest.mark.parametrize("embeds", [False, True])
def test_arguments_are_known(monkeypatch, embeds):
    engine = ast.parse((OURS / "engine.py").read_text())
    pure = [one for one in engine.body if getattr(one, "name", "") in ("engine_arguments", "vllm_rank")]
    scope: dict = {"shlex": __import__("shlex"), "NodeSettings": NodeSettings}
    exec(compile(ast.Module(pure, []), "engine.py", "exec"), scope)
    flags = scope["engine_arguments"](NodeSettings(model="m", slots=1, context=1), True, embeds)
    fields = {*fields_of("EngineArgs", "engine/arg_utils.py"), *fields_of("AsyncEngineArgs", "engine/arg_utils.py")}
    unknown = {
        one.removeprefix("--").removeprefix("no-").replace("-", "_") for one in flags if one.startswith("--")
    } - fields
    assert unknown == set()
