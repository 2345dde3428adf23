"""What one player asks of another, put into words field by field."""

from companion.engine.json_values import Json
from companion.gamekit.field_types import field_types
from companion.gamekit.manifest import Manifest
from companion.gamekit.seen import Seen
from companion.gamekit.tells import Telling
from companion.web.plain.figures import said


def told(manifest: Manifest, scene: Seen, command: Json) -> dict[str, str]:
    """Say what each field of a command holds; records are told as the game tells them in its events."""
    kind = manifest.messages().command(command["do"])
    types = {one.name: one for one in field_types(kind).values()} if kind else {}
    telling = Telling(
        words=scene.words,
        card=lambda card: scene.words.card(card, scene.catalog),
        person=lambda who: scene.names.get(who, who),
        catalog=scene.catalog,
    )
    found: dict[str, str] = {}
    for name, held in command.items():
        holds = types[name].holds if name in types else None
        if holds is not None and holds.kind == "record" and manifest.tells is not None:
            found[name] = manifest.tells().record(holds.of, held, telling)
        else:
            found[name] = said(scene, held)
    return found
