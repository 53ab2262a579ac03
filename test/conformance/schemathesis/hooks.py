"""What Schemathesis does here beside what it does everywhere.

Each operation gets an example that works, from the file that HEDDLE_EXAMPLES names; expressions nest no deeper than
one level, variants of examples are counted and edges thinned out, since there is no end of them to cover; each line of
JSON lines is held against its schema; and which statuses each operation answered with is written to the file that
HEDDLE_OUTCOME names.
"""

import atexit
import json
import os
import zlib
from collections import Counter, defaultdict

import jsonschema
import schemathesis

with open(os.environ["HEDDLE_EXAMPLES"], encoding="utf-8") as file:
    EXAMPLES = json.load(file)

#: by operation, by status, how often
statuses: defaultdict[str, Counter[int]] = defaultdict(Counter)
components: dict = {}

#: most variants of an operation's example: as it is, and then with ids that other operations answered with, of which
#: any number is more of the same kind
VARIANTS = int(os.environ["HEDDLE_VARIANTS"])
#: requests to one operation that walk the edges of its schema, from the first on. Those of queries have hundreds: of the
#: further ones each is twice as far as the one before, so that late fields have theirs, too
EDGES = int(os.environ["HEDDLE_EDGES"])
FAR_EDGES = {EDGES * 2**n for n in range(1, 12)}
#: which operations' edges are walked, out of how many parts
PART, PARTS = map(int, os.environ["HEDDLE_EDGES_PART"].split("/"))
#: by operation, how many of them there were
edges: Counter[str] = Counter()


@schemathesis.hook
def before_load_schema(context, raw_schema):
    components.update(raw_schema["components"])
    for path, operations in raw_schema["paths"].items():
        for method, operation in operations.items():
            example = EXAMPLES.get(f"{method.upper()} {path}")
            if example is not None:
                put_example(operation, example)
    bound_expressions(raw_schema["components"]["schemas"])
    spell_pairs_as_arrays(raw_schema["components"]["schemas"])


def put_example(operation, example):
    for parameter in operation.get("parameters", []):
        value = example["parameters"].get(parameter["name"])
        if value is not None:
            is_list = parameter["schema"].get("type") == "array"
            parameter["example"] = [value] if is_list else value
    if "body" in example:
        operation["requestBody"]["content"][example["type"]]["example"] = example["body"]


def bound_expressions(schemas):
    leaves = [{"$ref": f"#/components/schemas/{name}"} for name in ("LiteralOperation", "GetFieldOperator")]
    for name, schema in schemas.items():
        if name.removesuffix("Input") == "Operand":
            schemas[name] = {"anyOf": leaves}
        elif name.removesuffix("Input") == "LiteralOperation":
            schema["properties"]["$literal"] = {}


def spell_pairs_as_arrays(node):
    """Tuples whose items are all alike, as arrays of that length: the same values, without `prefixItems`.

    Schemathesis 4.32.5 turns `prefixItems` in schemas of answers into the spelling of an older draft, which it then
    refuses.
    """
    for value in node.values() if isinstance(node, dict) else node:
        if isinstance(value, (dict, list)):
            spell_pairs_as_arrays(value)
    if isinstance(node, dict) and isinstance(node.get("prefixItems"), list) and node.get("items") is False:
        first, *others = node["prefixItems"]
        if all(other == first for other in others) and node.get("minItems") == node.get("maxItems") == 1 + len(others):
            del node["prefixItems"]
            node["items"] = first


@schemathesis.hook
def filter_query(context, query):
    # A longer address is refused before any operation is looked for.
    return len(json.dumps(query)) < 2000


@schemathesis.hook
def before_add_examples(context, examples):
    del examples[VARIANTS:]


@schemathesis.hook
def filter_case(context, case):
    if case.meta is None or case.meta.phase.name != "coverage":
        return True
    if zlib.crc32(case.operation.label.encode()) % PARTS != PART:
        return False
    edges[case.operation.label] += 1
    number = edges[case.operation.label]
    return number <= EDGES or number in FAR_EDGES


@schemathesis.hook
def after_call(context, case, response):
    statuses[case.operation.label][response.status_code] += 1


@schemathesis.check
def json_lines_conform(ctx, response, case):
    """Every line is one JSON value that fits the schema of a line."""
    declared = case.operation.definition.raw["responses"].get(str(response.status_code), {})
    content = declared.get("content", {}).get(response.headers.get("content-type", [""])[0], {})
    if not content.get("x-json-lines"):
        return
    text = response.content.decode("utf-8")
    assert text == "" or text.endswith("\n"), "the last line is not ended"
    schema = {**content["x-item-schema"], "components": components}
    validator = jsonschema.validators.validator_for(schema)(schema)
    # Not `splitlines`, which takes characters inside of JSON texts for ends of lines, too.
    for line in text.split("\n")[:-1]:
        validator.validate(json.loads(line))


@atexit.register
def write_outcome():
    with open(os.environ["HEDDLE_OUTCOME"], "w", encoding="utf-8") as file:
        json.dump(statuses, file)
