"""The fields that the published training client knows, read from its source: importing all of it takes a GPU's packages."""

import ast
import importlib.util
from pathlib import Path

from result import report

HERE = Path(importlib.util.find_spec('art').submodule_search_locations[0])


def body_of(file, name):
    tree = ast.parse((HERE / file).read_text())
    return next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name).body


def fields(file, name):
    """The annotated names of a class, but for those that it never sends."""
    return [
        node.target.id
        for node in body_of(file, name)
        if isinstance(node, ast.AnnAssign) and 'exclude=True' not in ast.unparse(node)
    ]


def keywords(file, name, method):
    """The arguments of a method that have names only."""
    found = next(node for node in body_of(file, name) if getattr(node, 'name', '') == method)
    return [one.arg for one in found.args.kwonlyargs]


report(
    {
        'options': {
            'sent': fields('serverless/client.py', 'ExperimentalTrainingConfig'),
            'train': keywords('serverless/backend.py', 'ServerlessBackend', 'train'),
            'dev': fields('dev/train.py', 'TrainConfig'),
            'config': fields('types.py', 'TrainConfig'),
            'local': keywords('local/backend.py', 'LocalBackend', 'train'),
            'tinker': keywords('tinker_native/backend.py', 'TinkerNativeBackend', 'train'),
        },
        'sft': {
            'sent': fields('serverless/client.py', 'SFTTrainingConfig'),
            'dev': fields('dev/train.py', 'TrainSFTConfig'),
            'config': fields('types.py', 'TrainSFTConfig'),
        },
        'create': {
            'rl': keywords('serverless/client.py', 'TrainingJobs', 'create'),
            'sft': keywords('serverless/client.py', 'SFTTrainingJobs', 'create'),
        },
        'trajectory': fields('trajectories.py', 'Trajectory'),
        'group': fields('trajectories.py', 'TrajectoryGroup'),
        'history': fields('trajectories.py', 'History'),
    }
)
