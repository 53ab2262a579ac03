"""Advantages against numpy: what a judge's scores become in a gradient step."""

import numpy as np
import pytest

from heddle_model_server.train.advantages import group_advantages


@pytest.mark.parametrize("seed", range(20))
def test_scores_of_a_group_become_its_standard_scores(seed):
    random = np.random.default_rng(seed)
    scores = random.uniform(size=random.integers(2, 17))
    found = group_advantages(scores.tolist(), scale=True)
    np.testing.assert_allclose(found, (scores - scores.mean()) / (scores.std() + 1e-6), rtol=1e-9)
    np.testing.assert_allclose(group_advantages(scores.tolist(), scale=False), scores - scores.mean(), atol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_only_differences_within_a_group_count(seed):
    """A judge that is kinder to one group than to another changes nothing."""
    random = np.random.default_rng(seed)
    scores = random.uniform(size=8)
    kinder = (scores * random.uniform(0.2, 0.8) + random.uniform(-1, 1)).tolist()
    np.testing.assert_allclose(
        group_advantages(scores.tolist(), scale=True), group_advantages(kinder, scale=True), rtol=1e-3
    )


def test_equal_scores_teach_nothing():
    assert group_advantages([0.7, 0.7, 0.7], scale=True) is None
