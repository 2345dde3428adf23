"""The picture at the top of the README: tablet and big screen at the same moment of a game."""

from collections.abc import Callable
from typing import Any

from PIL import Image, ImageDraw

from companion.service.access.logins import Caller
from tests.guide.camera_man import CameraMan

PLAYERS, SEED = 3, 7
BIG_SCREEN = (1920, 1080)
HEIGHT = 540
"""Pixels of both screens in the picture; the tablet is 1280 x 800, the big screen 1920 x 1080."""
GAP, BEZEL, RADIUS = 28, 11, 14
GROUND, FRAME = "#ffffff", "#2b221a"
NAME = "tablet_and_screen"
MOST_BYTES = 150_000
BID = 9_000


def tablet_and_screen(man: CameraMan) -> None:
    """An auction in the third round, after some bids."""
    game = man.stage.game(PLAYERS, SEED)
    game.until(lambda at: at["round"] == 3 and _three_bid_on(at["auction"]))
    with man.tablet(game) as page:
        tablet = man.screenshot(page)
    with man.device(Caller("spectator", None, game.table.id), BIG_SCREEN) as page:
        screen = man.screenshot(page)
    man.keep(side_by_side(tablet, screen), NAME, MOST_BYTES)


def _three_bid_on(auction: dict[str, Any] | None) -> bool:
    return auction is not None and len(auction["still_in"]) == PLAYERS and auction["bid"] == BID


def side_by_side(*screens: Image.Image) -> Image.Image:
    """Return the screens at one height, each in a frame, on a plain ground."""
    framed = [
        _framed(
            screen.convert("RGB").resize(
                (round(screen.width * HEIGHT / screen.height), HEIGHT), Image.Resampling.LANCZOS
            )
        )
        for screen in screens
    ]
    whole = Image.new(
        "RGB", (sum(screen.width for screen in framed) + GAP * (len(framed) - 1), framed[0].height), GROUND
    )
    left = 0
    for screen in framed:
        whole.paste(screen, (left, 0))
        left += screen.width + GAP
    return whole


def _framed(screen: Image.Image) -> Image.Image:
    size = (screen.width + 2 * BEZEL, screen.height + 2 * BEZEL)
    whole = Image.new("RGB", size, GROUND)
    ImageDraw.Draw(whole).rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), RADIUS, fill=FRAME)
    whole.paste(screen, (BEZEL, BEZEL))
    return whole


SCENES: tuple[Callable[[CameraMan], None], ...] = (tablet_and_screen,)
