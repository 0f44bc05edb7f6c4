"""The examples run and do what they say."""

import importlib.util
import os
import sys
from pathlib import Path

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
