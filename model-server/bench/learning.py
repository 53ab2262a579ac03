"""Whether the recipes teach: the toys of the tests, from a new adapter, with several seeds. Prints a line of JSON for each
way to train, with the worst of its seeds.

python bench/learning.py --model FOLDER [--seeds N]"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests/train"))

from toy import learn_by_heart, learn_by_reward, recited

from heddle_model_server.model import load_model
from heddle_model_server.train.policy import LoraOptions, Policy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="a folder")
    parser.add_argument("--seeds", type=int, default=5)
    arguments = parser.parse_args()
    policy = Policy(load_model(arguments.model, name="demo", device="cpu"), LoraOptions(rank=8, alpha=16))
    seeds = range(1, arguments.seeds + 1)

    with tempfile.TemporaryDirectory() as scratch:
        # A run has a folder of its own: jobs go on with what they find.
        folder = lambda: tempfile.mkdtemp(dir=scratch)
        losses, exact = [], 0
        for seed in seeds:
            losses.append(learn_by_heart(policy, folder(), seed))
            exact += recited(policy)
        steps = len(losses[0])
        said("SFT", "loss", max(one[0] for one in losses), max(one[-1] for one in losses), len(seeds), steps)
        said("SFT", "share of seeds with every answer exact", 0.0, exact / len(seeds), len(seeds), steps)
        for name, ppo in (("RL, CISPO", False), ("RL, clipped PPO", True)):
            rewards = [learn_by_reward(policy, folder(), ppo, seed) for seed in seeds]
            # The last one was measured after the last step.
            steps = max(len(one) - 1 for one in rewards)
            said(name, "reward", max(one[0] for one in rewards), min(one[-1] for one in rewards), len(seeds), steps)


def said(what: str, measure: str, first: float, last: float, seeds: int, steps: int) -> None:
    line = {"what": what, "seeds": seeds, "measure": measure, "first": first, "last": last, "steps": steps}
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
