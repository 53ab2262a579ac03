"""A monitor with a RemoteScorer as the SDK makes them: a call is traced, and scored by who answers at the endpoint."""

import guard  # noqa: F401, I001

import importlib.util
import os
import time
from pathlib import Path

import weave

from result import report

# The package of scorers needs a gigabyte of libraries, which this one does not.
file = Path(weave.__file__).parent / "scorers" / "remote_scorer.py"
spec = importlib.util.spec_from_file_location("weave.scorers.remote_scorer", file)
remote_scorer = importlib.util.module_from_spec(spec)
spec.loader.exec_module(remote_scorer)

client = weave.init(os.environ["PROJECT"])


@weave.op
def answer(question: str) -> str:
    return "yes"


scorer = remote_scorer.RemoteScorer(
    name="policy",
    endpoint_url=os.environ["ENDPOINT"],
    config={"at": 1},
    auth_config=remote_scorer.StaticBearerAuthConfig(mode="static_bearer", bearer_secret_name="SCORER_TOKEN"),
)
weave.Monitor(name="remote", op_names=["answer"], scorers=[scorer]).activate()
client.flush()
_, call = answer.call("long?")
client.flush()

end = time.monotonic() + 60
scores = []
while not scores and time.monotonic() < end:
    time.sleep(0.2)
    scores = [one.payload for one in client.get_call(call.id).feedback]
report({"scores": scores, "call": {"id": call.id, "trace_id": call.trace_id, "op_name": call.op_name}})
