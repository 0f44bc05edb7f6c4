"""The package imports no library of its adapters, and an adapter names the library that it lacks."""

import importlib
import subprocess
import sys

import pytest

ADAPTERS = {"gym": "gymnasium", "pettingzoo": "pettingzoo", "openspiel": "pyspiel", "torch": "torch"}


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_an_adapter_without_its_library_says_what_to_install(monkeypatch, adapter):
    monkeypatch.delitem(sys.modules, f"paishan.{adapter}", raising=False)
    monkeypatch.setitem(sys.modules, ADAPTERS[adapter], None)
    with pytest.raises(ImportError, match=f"paishan.{adapter} needs .*pip install"):
        importlib.import_module(f"paishan.{adapter}")


def test_the_package_itself_needs_numpy_alone():
    libraries = sorted({*ADAPTERS.values(), "open_spiel", "ray"})
    code = f"import sys, paishan; print([name for name in {libraries} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
