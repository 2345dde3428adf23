"""JSON as the whole house passes it on: an object read from it, or to be written as it."""

from collections.abc import Mapping
from typing import Any, TypeAlias

Json: TypeAlias = Mapping[str, Any]
