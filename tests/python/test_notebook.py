"""The notebook of the samples runs to its end."""
import importlib.util
import os
import subprocess
import sys

import pytest

NOTEBOOK = os.path.join(os.environ["PARTITA_SOURCE_DIR"], "samples", "from-python.ipynb")
LACKING = [package for package in ("nbconvert", "ipykernel") if importlib.util.find_spec(package) is None]


@pytest.mark.skipif(bool(LACKING), reason="not installed: %s (jupyter-nbconvert, python3-ipykernel)" % ", ".join(LACKING))
def test_the_notebook_runs_to_its_end(tmp_path):
    environment = dict(os.environ, JUPYTER_PLATFORM_DIRS="1", JUPYTER_RUNTIME_DIR=str(tmp_path / "runtime"),
                       IPYTHONDIR=str(tmp_path / "ipython"))
    done = subprocess.run([sys.executable, "-m", "nbconvert", "--execute", "--to", "html", "--output-dir", str(tmp_path),
                           NOTEBOOK], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "from-python.html").read_text()
    assert "data:image/svg+xml;base64," in page and "tile_npu.py:13" in page and "whole run" in page
