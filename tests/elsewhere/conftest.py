"""What tests of a game from elsewhere share."""

from tests.browser.conftest import browser_type_launch_args

__all__ = ["browser_type_launch_args"]
