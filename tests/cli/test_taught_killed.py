"""A server that is killed while a box is taught loses at most the card in hand."""

import http.client
import json
import threading
import urllib.request
from pathlib import Path
from random import Random

import pytest

from tests.cli.running import Serving, serving
from tests.extent import of_all
from tests.service.taught import printed
from tests.waiting import PATIENCE_S

BOX = "/api/v1/boxes/our-box"
KILLS = of_all(2, 6)


def put(server: Serving, path: str, body: object) -> None:
    """Send what is printed on a card."""
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", json.dumps(body).encode(), method="PUT")
    request.add_header("Content-Type", "application/json")
    request.add_header("Authorization", f"Bearer {server.token}")
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        assert answer.status == 200


@pytest.mark.nightly
def test_a_killed_server_loses_at_most_the_card_in_hand(tmp_path: Path) -> None:
    # given a box that is taught card by card as fast as answers come
    left, kept = list(printed("master_builder").items()), dict[str, object]()
    lots = Random(7)
    for turn in range(KILLS):
        with serving(tmp_path / "data") as server:
            server.token = server.ask("/api/v1/logins", {"pin": server.pin})["token"]
            if turn == 0:
                server.ask("/api/v1/boxes", {"game": "master_builder", "name": "Our box"})

            # then all that was acknowledged before the plug was pulled is there, and at most one card more
            there = server.ask(BOX)["cards"]
            assert {card: there.get(card) for card in kept} == kept
            assert len(there) <= len(kept) + 1
            kept = dict(there)
            left = [(card, values) for card, values in left if card not in kept]

            # when it is pulled while somebody teaches, some cards later
            taught, pull = lots.randint(2, 12), threading.Timer(lots.uniform(0, 0.05), server.process.kill)
            for number, (card, values) in enumerate(left):
                if number == taught:
                    pull.start()
                try:
                    put(server, f"{BOX}/cards/{card}", values)
                except (OSError, http.client.HTTPException, ValueError):
                    break  # pulled
                kept[card] = values
            pull.join()
            server.process.wait(timeout=PATIENCE_S)
    assert len(kept) > KILLS
