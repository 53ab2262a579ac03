"""The contract stays compatible: what was ever in node.proto or train.proto is still there, as it was. `fields.txt` beside it holds every
field and value by number; a new one is added to it, and no line of it is ever changed."""

from __future__ import annotations

from pathlib import Path

from heddle.node.v1 import node_pb2, train_pb2
from heddle_model_server.errors import STATUS

FOLDER = Path(__file__).parents[2] / "proto/heddle/node/v1"


def lines() -> list[str]:
    return [line for module in (node_pb2, train_pb2) for line in lines_of(module)]


def lines_of(pb) -> list[str]:
    found = []
    for name, message in sorted(pb.DESCRIPTOR.message_types_by_name.items()):
        found += message_lines(name, message)
    for name, enum in sorted(pb.DESCRIPTOR.enum_types_by_name.items()):
        found += [f"{name} {value.number} {value.name}" for value in enum.values]
    for name, service in sorted(pb.DESCRIPTOR.services_by_name.items()):
        for method in service.methods:
            stream = "stream " if method.server_streaming else ""
            found.append(f"{name} {method.name} {method.input_type.name} {stream}{method.output_type.name}")
    return found


def message_lines(name: str, message) -> list[str]:
    found = []
    for item in message.fields:
        kind = item.message_type or item.enum_type
        kind_name = kind.name if kind else f"type-{item.type}"
        label = "repeated " if item.is_repeated else "optional " if item.has_presence and not item.message_type else ""
        group = f" of {item.containing_oneof.name}" if item.containing_oneof and not label else ""
        found.append(f"{name} {item.number} {item.name} {label}{kind_name}{group}")
    for nested in message.nested_types:
        found += message_lines(f"{name}.{nested.name}", nested)
    return found


def test_nothing_was_taken_away_or_changed():
    recorded = (FOLDER / "fields.txt").read_text().splitlines()
    now = lines()
    assert [line for line in recorded if line not in now] == [], "this breaks nodes or workers of another release"
    assert [line for line in now if line not in recorded] == [], "append these lines to fields.txt"


def test_every_code_is_in_the_readme():
    readme = (FOLDER / "README.md").read_text()
    for code, status in STATUS.items():
        assert f"| `{code}` | {status} |" in readme
