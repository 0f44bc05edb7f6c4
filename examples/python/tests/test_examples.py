"""The examples run and do what they say."""

import importlib.util
import os
import sys
from pathlib import Path

import numpy as np
import pytest

import paishan

EXAMPLES = Path(__file__).parent.parent / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_ray_tasks_merge_to_the_bytes_of_one_process(monkeypatch):
    ray = pytest.importorskip("ray", reason="ray is not installed")
    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    # Workers import the package from where this process did.
    path = os.pathsep.join(filter(None, sys.path))
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        runtime_env={"env_vars": {"PYTHONPATH": path}},
    )
    try:
        merged = example("ray_playtest").playtest("woo", 30, seed=5, agents="greedy", parts=4)
    finally:
        ray.shutdown()
    assert merged.data == paishan.playtest("woo", 30, seed=5, agents="greedy").data


def test_the_tour_runs():
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    import nbformat

    tour = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    nbformat.validate(tour)
    assert not any(cell.get("outputs") for cell in tour.cells), "the tour is stored without outputs"
    nbclient.NotebookClient(tour, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in tour.cells for output in cell.get("outputs", [])]
    drawn = [output for output in outputs if "image/svg+xml" in output.get("data", {})]
    assert len(drawn) == 2
    printed = [output.text for output in outputs if output.output_type == "stream"]
    assert any("50 games with greedy" in text for text in printed)


def test_the_gradients_of_the_network_are_right():
    train = example("train_woo")
    trainer = train.Trainer(tables=6, seed=1)
    network, rng = trainer.network, np.random.default_rng(2)
    for name, weights in network.weights.items():
        network.weights[name] = weights + rng.normal(size=weights.shape) * 0.02
    batch = tuple(array.astype(np.float64) for array in trainer.features(trainer.env))
    logits, value = rng.normal(size=(6, len(network.places))), rng.normal(size=6)

    def loss():
        layers = network.forward(batch)
        return (layers["logits"] * logits).sum() + (layers["value"] * value).sum()

    gradient = network.backward(network.forward(batch), logits, value)
    assert gradient.keys() == network.weights.keys()
    for name, weights in network.weights.items():
        # The weight that matters most.
        place = np.unravel_index(np.abs(gradient[name]).argmax(), weights.shape)
        kept = weights[place]
        weights[place] = kept + 1e-6
        more = loss()
        weights[place] = kept - 1e-6
        less = loss()
        weights[place] = kept
        slope = (more - less) / 2e-6
        assert slope != 0 and np.isclose(slope, gradient[name][place], rtol=1e-4), name


def test_the_outputs_of_the_network_are_those_of_the_suits():
    train = example("train_woo")
    trainer = train.Trainer(tables=2, seed=1)
    space, places = trainer.env.action_space, trainer.network.places
    assert sorted(places) == list(range(len(space)))
    _, each, _, _ = train.outputs(trainer.rules)
    for number in range(len(space)):
        word, *rest = space[number].split()
        suit = rest[0][-1] if rest else ""
        if suit not in ("t", "s", "m"):
            assert places[number] >= 3 * each
            continue
        assert places[number] // each == "tsm".index(suit)
        for other in "tsm":
            # The same action in another suit.
            twin = " ".join([word, rest[0][:-1] + other, *rest[1:]])
            assert places[space.number(twin)] % each == places[number] % each


def test_some_seconds_of_self_play_beat_random_players():
    train = example("train_woo")
    trainer = train.Trainer(tables=64, steps=64, seed=3)
    rng = np.random.default_rng(5)
    random = train.measure(lambda env: env.sample(rng), "random", 500)
    for _ in range(8):
        trainer.learn(trainer.collect(train.SHAPING), rate=1e-3, size=512)
    policy = train.measure(train.best(trainer.network), "random", 500)
    assert policy.points - policy.points_within > random.points + random.points_within
    assert policy.wins - policy.wins_within > random.wins + random.wins_within
