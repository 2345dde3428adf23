"""``--help`` of the benchmarks: it explains their arguments instead of running them for minutes."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARSERS = {"ArgumentParser", "create_parser", "parse_arguments"}


def names_called(tree: ast.AST) -> set[str]:
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}


PROGRAMS = sorted(
    path for path in (ROOT / "benchmarks").rglob("*.py") if 'if __name__ == "__main__"' in path.read_text("utf-8")
)
"""The benchmarks that can be run."""


def show_help(path: Path) -> "subprocess.CompletedProcess[str]":
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__")
    return subprocess.run(
        [sys.executable, "-m", module, "--help"], capture_output=True, text=True, check=False, cwd=ROOT
    )


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_benchmark_parses_its_arguments(path: Path) -> None:
    source = path.read_text("utf-8")

    assert names_called(ast.parse(source)) & PARSERS
    assert "sys.argv[1" not in source.replace("sys.argv[1:] = ", "")


def test_the_suite_of_reading_explains_itself_and_measures_nothing() -> None:
    done = show_help(ROOT / "benchmarks" / "reading" / "__main__.py")

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: ")
    assert "--docs FOLDER" in done.stdout
    assert "photograph" not in done.stdout.split("Photographs", maxsplit=1)[0], "no row was printed"


@pytest.mark.nightly
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_benchmark_explains_itself_and_measures_nothing(path: Path) -> None:
    if "import torch" in path.read_text("utf-8"):
        pytest.importorskip("torch", reason="no part of the project's environment: CONTRIBUTING says how to come by it")
    done = show_help(path)

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: ")
    assert "| " not in done.stdout
