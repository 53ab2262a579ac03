"""A monitor as the SDK makes it: it is activated, judges what is traced from then on, and is deactivated."""

import guard  # noqa: F401, I001

import os
import time
from typing import Any

import weave

from result import report

client = weave.init(os.environ["PROJECT"])


class SignalScorer(weave.Scorer):
    """Run by the server; the class says which of its scorers it is."""

    signal: str

    @weave.op
    def score(self, *, output: Any) -> dict:
        raise NotImplementedError


@weave.op
def answer(question: str) -> str:
    return "I'm sorry, but I can't help with that." if "secret" in question else "It is 4."


@weave.op
def other(question: str) -> str:
    return "I'm sorry, but I can't help with that."


monitor = weave.Monitor(
    name="refusals",
    op_names=["answer"],
    query={"$expr": {"$contains": {"input": {"$getField": "inputs.question"}, "substr": {"$literal": "?"}}}},
    scorers=[SignalScorer(name="refusal", signal="refusal")],
)
answer("before?")
client.flush()
ref = monitor.activate()
client.flush()

calls = [answer.call(text)[1] for text in ("the secret?", "2 + 2?", "no question mark")]
calls.append(other.call("the other secret?")[1])
client.flush()


def scores(call):
    found = client.get_call(call.id).feedback.refresh()
    return [[one.feedback_type, one.payload, one.trigger_ref] for one in found]


for _ in range(60):
    if all(scores(call) for call in calls[:2]):
        break
    time.sleep(0.5)
monitor.deactivate()
client.flush()
report({"scores": [scores(call) for call in calls], "ref": ref.uri()})
