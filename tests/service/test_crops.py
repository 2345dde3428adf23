"""Pictures of the cards behind entries: how much is kept, and who may see them."""

from companion.service.camera.proposals import Crop, InMemoryKeepsakes, crop_picture, visible_crops
from tests.service.house_tables import bot_command, give, house_table, play_until


def test_the_oldest_pictures_make_room() -> None:
    keepsakes = InMemoryKeepsakes(most_bytes=5)
    for entry in (2, 3, 4):
        keepsakes.keep_crop("t", entry, Crop(b"%d%d" % (entry, entry), "banker"))
    keepsakes.keep_crop("t", 4, Crop(b"444", "banker"))

    assert dict(keepsakes.crops("t")) == {3: "banker", 4: "banker"}
    assert keepsakes.crop("t", 4) == Crop(b"444", "banker")
    assert (keepsakes.crop("t", 2), keepsakes.crop("other", 3)) == (None, None)
    assert dict(keepsakes.crops("other")) == {}


def test_players_see_what_lay_on_the_table_or_before_their_own_device() -> None:
    # given pictures from the table's camera and from a player's phone
    table, piles = house_table(3)
    for _ in range(3):
        give(table, bot_command(table, piles) or {})
    keepsakes = InMemoryKeepsakes()
    keepsakes.keep_crop(table.id, 2, Crop(b"table", "banker"))
    keepsakes.keep_crop(table.id, 3, Crop(b"phone", "blue"))

    seen = {viewer: visible_crops(keepsakes, table, viewer) for viewer in ("banker", "blue", "yellow", "spectator")}
    assert seen == {"banker": {2, 3}, "blue": {2, 3}, "yellow": {2}, "spectator": set()}
    assert crop_picture(keepsakes, table, 3, "blue") == b"phone"
    assert crop_picture(keepsakes, table, 3, "yellow") is None


def test_the_picture_of_a_secret_is_its_owners_and_the_bankers() -> None:
    # given a plan that was made in secret, with a picture beside it
    table, piles = house_table(3, seed=1)
    play_until(table, piles, "build")
    plan = bot_command(table, piles)
    assert plan is not None
    give(table, plan)
    keepsakes = InMemoryKeepsakes()
    keepsakes.keep_crop(table.id, table.version, Crop(b"plan", "banker"))

    owner = str(plan["player"])
    other = next(player for player in ("red", "blue", "yellow", "green") if player != owner)
    assert crop_picture(keepsakes, table, table.version, owner) == b"plan"
    assert crop_picture(keepsakes, table, table.version, other) is None
    assert crop_picture(keepsakes, table, table.version, "banker") == b"plan"


def test_where_nothing_was_seen_there_is_nothing_to_see() -> None:
    assert visible_crops(InMemoryKeepsakes(), house_table(3)[0], "blue") == frozenset()
