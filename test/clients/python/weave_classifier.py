"""A ClassifierMonitor as the SDK makes it: its judges are asked together about each call."""

import guard  # noqa: F401, I001

import os
import time

import weave
from weave.flow.llm_structured_model import LLMStructuredCompletionModel

from result import report

client = weave.init(os.environ["PROJECT"])


class LLMAsAJudgeScorer(weave.Scorer):
    """The SDK's own needs packages of model providers; the server runs it by its name."""

    model: LLMStructuredCompletionModel
    scoring_prompt: str

    @weave.op
    def score(self, *, output: str) -> dict:
        raise NotImplementedError


@weave.op
def answer(question: str) -> str:
    return f"{question}! Paris."


model = LLMStructuredCompletionModel(llm_model_id="custom::stub::classifier")
statements = {"angry": "The user is angry.", "lost": "The user {can not} go on."}
monitor = weave.ClassifierMonitor(
    name="classes",
    op_names=["answer"],
    scorers=[LLMAsAJudgeScorer(name=name, model=model, scoring_prompt=text) for name, text in statements.items()],
)
monitor.activate()
client.flush()
_, call = answer.call("capital")
client.flush()


def scores():
    found = client.get_call(call.id).feedback.refresh()
    return sorted([one.feedback_type, one.payload] for one in found)


for _ in range(60):
    if len(scores()) == len(statements):
        break
    time.sleep(0.5)
monitor.deactivate()
client.flush()
report({"scores": scores()})
