"""The files that are no code are found in a checkout and in an installed wheel alike."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion import resources
from companion.resources import MissingResourceError

ROOT = Path(__file__).resolve().parents[2]


def test_a_checkout_has_its_pages_beside_the_package() -> None:
    assert resources.templates_folder() == ROOT / "templates"


def test_a_packaged_file_is_found_in_its_package() -> None:
    assert resources.packaged_path("py.typed").is_file()


def test_an_installed_wheel_has_its_pages_inside(tmp_path: Path) -> None:
    # given: the locator as a wheel lays it out, with no checkout around it
    package = tmp_path / "companion"
    (package / "_templates").mkdir(parents=True)
    shutil.copy(ROOT / "companion" / "resources.py", package)
    (package / "__init__.py").touch()
    # when: that copy is asked
    asked = "from companion.resources import templates_folder; print(templates_folder())"
    done = subprocess.run([sys.executable, "-c", asked], cwd=tmp_path, capture_output=True, text=True, check=True)
    # then
    assert Path(done.stdout.strip()) == package / "_templates"


def test_a_file_that_is_not_there_says_what_to_do() -> None:
    with pytest.raises(MissingResourceError, match=r"no-such-file.*install the companion again"):
        resources.packaged_path("no-such-file")
