"""The JSON interface, one blueprint a file; each endpoint is described where it is handled."""

from importlib import import_module
from pkgutil import iter_modules

from flask import Blueprint


def blueprint() -> Blueprint:
    """Return the whole interface, under its first version's address: the blueprints of all modules of this package."""
    whole = Blueprint("api", __name__, url_prefix="/api/v1")
    for module in iter_modules(__path__):
        part = import_module(f"{__name__}.{module.name}")
        if hasattr(part, "blueprint"):
            whole.register_blueprint(part.blueprint)
    return whole
