"""Phones and screens that came in by a code: who sits where with which one, whose login has ended, what comes next.

A login of a guest is good as long as its device stands in the list, so that nothing has to be remembered of those that
were logged out.  Seats and hosts stay in the list until they are left; only watchers make room for each other.  The
organiser's logins are good until they end one by one, or all of a ``generation`` at once.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from companion.service.access.logins import Caller
from companion.service.ports import Store
from companion.service.runtime import StoredValue

MOST_WATCHERS = 64
"""Watchers of a table that are kept, invited ones and as many who came by the code for everybody; beyond these the
oldest that follows nothing live has to join again."""
MOST_IN_SEAT = 4
"""Devices that one person may have in a seat by a personal invitation, and that may host one table."""
MOST_OUT = 4_096
"""Ended logins that are remembered by name; beyond these all logins of their generation end."""
MOST_NEXT = 1_024
"""Beyond these the oldest is forgotten."""
FIRST_GENERATION = 1
"""The generation of logins and invitations that name none: earlier versions made them."""


class SeatTaken(Exception):  # noqa: N818 - an answer, not an error of the program
    """Other devices have this seat."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A device at a table: a player's, its host's (``hosts``), or one that only looks on.

    ``name``: what the player was called there.  ``seat_generation``: how many had left the seat when they came, as in
    ``Caller``.  ``listed``: their login is good only while they stand in the list; logins of earlier versions are good
    until they are remembered as ended.  ``invited``: a watcher whom somebody let in, and no code for everybody.
    """

    device: str
    table: str
    player: str | None = None
    name: str = ""
    seat_generation: int = 0
    listed: bool = False
    hosts: bool = False
    invited: bool = False

    @property
    def only_looks_on(self) -> bool:
        """Return whether the device neither plays nor hosts."""
        return self.player is None and not self.hosts

    def shares_seat(self, other: "Guest") -> bool:
        """Return whether two devices have one seat, or host one table; a seat that was left is another one."""
        mine = (self.table, self.player, self.hosts, self.seat_generation)
        return not self.only_looks_on and mine == (other.table, other.player, other.hosts, other.seat_generation)


@dataclass(frozen=True, slots=True)
class GuestList:
    """Stored guests: the number of the invitation, which codes name; the guests; devices that were logged ``out``.

    ``current``: the table where the organiser is; ``next``: the table that followed a table.  ``generation``: logins
    and invitations of earlier ones have ended, but for the organiser's device ``kept``, from which that was ordered.
    ``links``: how often somebody left a place (``link_place``) or was logged out of it, which ends the invitations to
    it.
    """

    invitation_epoch: int = 1
    current: str | None = None
    guests: tuple[Guest, ...] = ()
    out: tuple[str, ...] = ()
    next: Mapping[str, str] = field(default_factory=dict[str, str])
    generation: int = FIRST_GENERATION
    kept: str | None = None
    links: Mapping[str, int] = field(default_factory=dict[str, int])


def link_place(table: str | None, player: str | None, *, hosts: bool = False) -> str:
    """Return the place to which an invitation leads: a seat, a table's host or watchers, or the organiser's."""
    if hosts:
        return f"{table}//host"
    return "" if table is None else f"{table}/{player or ''}"


def _links_without(now: GuestList, guest: Guest | None) -> Mapping[str, int]:
    """Return how often places were ended, once a guest is logged out of theirs.

    Hosts go on from game to game: their place is that of every game which leads to theirs, or follows it.
    """
    places = ["" if guest is None else link_place(guest.table, guest.player, hosts=guest.hosts)]
    if guest is not None and guest.hosts:
        tables = [next(reversed(_tables_after(now, guest.table)), guest.table)]
        for then in tables:  # grows meanwhile
            tables.extend(before for before, after in now.next.items() if after == then and before not in tables)
        places = [link_place(table, None, hosts=True) for table in tables]
    return {**now.links, **{place: now.links.get(place, 0) + 1 for place in places}}


def _links_after_move(now: GuestList, guest: Guest) -> Mapping[str, int]:
    """Return how often places were ended, once a device sits elsewhere: a seat that it leaves empty is another's."""
    left = next((other for other in now.guests if other.device == guest.device), None)
    if left is None or left.player is None:
        return now.links
    seat = (left.table, left.player)
    stays = any((other.table, other.player) == seat for other in (guest, *now.guests) if other is not left)
    return now.links if stays else _links_without(now, left)


def _tables_after(now: GuestList, table_id: str) -> list[str]:
    """Return the tables that followed a table, one after the other."""
    passed = [table_id]
    while (then := now.next.get(passed[-1])) is not None and then not in passed:
        passed.append(then)
    return passed[1:]


def _place_of(caller: Caller) -> str:
    return link_place(caller.table, caller.player, hosts=caller.role == "host")


class Guests:
    """The guests now.  Every call may come from any thread."""

    def __init__(self, store: Store[GuestList]) -> None:
        """Read the stored list."""
        self._stored = StoredValue(store)
        self._index = _Index(self._stored.now)

    @property
    def invitation_epoch(self) -> int:
        """The number that a code must name to let anybody in."""
        return self._stored.now.invitation_epoch

    @property
    def generation(self) -> int:
        """The number that a login must name to be good."""
        return self._stored.now.generation

    @property
    def current(self) -> str | None:
        """The table where the organiser is, or was last."""
        return self._stored.now.current

    @property
    def out(self) -> tuple[str, ...]:
        """Return the devices whose logins are remembered as ended."""
        return self._stored.now.out

    def at(self, table_id: str) -> tuple[Guest, ...]:
        """Return the guests of a table in the order in which they came."""
        return tuple(self._indexed(self._stored.now).by_table.get(table_id, ()))

    def admits(self, caller: Caller) -> bool:
        """Return whether a login is still good.

        One that was ended by another process may be so for a second more.  One that is not known here is looked for
        at once: its device may have joined by another process a moment ago.
        """
        return self._indexed(self._stored.now).admits(caller) or self._indexed(self._stored.latest()).admits(caller)

    def knows(self, caller: Caller) -> bool:
        """Return whether a login was good when guests were looked at last; this waits for nothing."""
        return self._indexed(self._stored.known_value).admits(caller)

    def link(self, caller: Caller) -> Caller:
        """Return a caller as an invitation names them: with the numbers that end it."""
        now = self._stored.now
        ended = now.links.get(_place_of(caller), 0)
        return replace(caller, generation=now.generation, links=ended)

    def honours(self, link: Caller) -> bool:
        """Return whether an invitation still lets somebody in: nobody left its place for good since."""
        now = self._stored.latest()
        ended = now.links.get(_place_of(link), 0)
        return ((link.generation or FIRST_GENERATION), link.links) == (now.generation, ended)

    def after(self, table_id: str, is_there: Callable[[str], bool] = lambda _: True) -> str | None:
        """Return the table to which the guests of a table go on, the last that ``is_there``; ``None``: they stay."""
        return next(filter(is_there, reversed(_tables_after(self._stored.now, table_id))), None)

    def before(self, table_id: str) -> list[str]:
        """Return the tables that a table followed."""
        return [before for before, then in self._stored.now.next.items() if then == table_id]

    def came(self, guest: Guest, *, alone: bool = False, live: AbstractSet[str] = frozenset()) -> None:
        """Register a device at a table; it is removed from any other.

        The invitations to a seat that it leaves empty end: whoever sits there next sits there alone.

        Args:
            guest: the device, and where it sits or watches.
            alone: whether no other device may have the seat, not even one of the same person.
            live: devices that follow a table now; they make no room for watchers who come.

        Raises:
            SeatTaken: when others have the seat; nothing has changed.
            OSError: when it cannot be stored; nothing has changed.

        """

        def with_guest(now: GuestList) -> GuestList:
            others = [other for other in now.guests if other.device != guest.device]
            sharing = sum(other.table == guest.table and guest.shares_seat(other) for other in others)
            if sharing >= (1 if alone else MOST_IN_SEAT):
                raise SeatTaken
            guests = (*_with_room(others, guest, live), guest)
            return replace(now, guests=guests, links=_links_after_move(now, guest))

        self._stored.change(with_guest)

    def log_out(self, device: str, caller: Caller | None = None) -> None:
        """End a device's login, and the invitations to its place; one that has ended already is ended once.

        ``caller``: with what login the device itself asks for it; ``None``: somebody else logs a guest out.  Raises
        ``OSError``; then nothing has changed.
        """
        is_organiser = caller is not None and caller.is_organiser
        is_unlisted = is_organiser or (caller is not None and caller.generation is None)

        def without_device(now: GuestList) -> GuestList:
            index = self._indexed(now)
            guest = index.by_device.get(device)
            if guest is None and (device in index.out or not is_unlisted):
                return now
            links = now.links if guest is None and not is_organiser else _links_without(now, guest)
            left = tuple(other for other in now.guests if other.device != device)
            if guest is not None and guest.listed:
                return replace(now, guests=left, links=links)
            if len(now.out) >= MOST_OUT:
                return replace(now, guests=left, out=(), links={}, generation=now.generation + 1, kept=None)
            return replace(now, guests=left, out=(*now.out, device), links=links)

        self._stored.change(without_device)

    def leave_seats(self, table_id: str, seats: Collection[str]) -> None:
        """Log out who sits on some seats of a table: others will sit there.  ``OSError``; then some may be left."""
        for guest in self.at(table_id):
            if guest.player in seats:
                self.log_out(guest.device)

    def go_on(self, table_id: str, then: str) -> None:
        """Let the guests of a table follow to another one.  ``OSError``; then nothing has changed."""
        if table_id != then:
            self._stored.change(lambda now: replace(now, next=dict([*now.next.items(), (table_id, then)][-MOST_NEXT:])))

    def organiser_is_at(self, table_id: str) -> None:
        """Remember where the organiser is.  ``OSError``; then nothing has changed."""
        if self._stored.now.current != table_id:
            self._stored.change(lambda now: replace(now, current=table_id))

    def new_evening(self, kept: str | None = None) -> None:
        """End every login but that of the organiser's device ``kept``, every invitation, and every code shown before.

        Raise ``OSError`` when it cannot be stored; then nothing has changed.
        """
        self._stored.change(
            lambda now: replace(
                now,
                invitation_epoch=now.invitation_epoch + 1,
                generation=now.generation + 1,
                guests=(),
                out=(),
                links={},
                kept=kept,
            )
        )

    def _indexed(self, now: GuestList) -> "_Index":
        """Return the index of a list, made anew where the list is another one."""
        index = self._index
        if index.of is not now:
            self._index = index = _Index(now)
        return index


class _Index:
    """Guests by device and by table, and the devices that were logged out, of one list."""

    def __init__(self, of: GuestList) -> None:
        self.of = of
        self.out = frozenset(of.out)
        self.by_device = {guest.device: guest for guest in of.guests}
        self.by_table: dict[str, list[Guest]] = {}
        for guest in of.guests:
            self.by_table.setdefault(guest.table, []).append(guest)

    def admits(self, caller: Caller) -> bool:
        """Return whether a login is good by this list."""
        if caller.device and caller.device in self.out:
            return False
        if not caller.is_organiser and caller.generation is not None:
            guest = self.by_device.get(caller.device)
            place = (caller.table, caller.player, caller.role == "host")
            return guest is not None and (guest.table, guest.player, guest.hosts) == place
        if (caller.generation or FIRST_GENERATION) == self.of.generation:
            return True
        return caller.is_organiser and caller.device == self.of.kept


def _with_room(others: Sequence[Guest], guest: Guest, live: AbstractSet[str]) -> Sequence[Guest]:
    """Return the guests who stay when one more comes: all, but one of too many watchers like them of their table.

    Whoever comes by the code for everybody, as often as they like, drives out no screen that was let in.
    """
    same = (guest.table, guest.invited)
    watchers = [other for other in others if other.only_looks_on and (other.table, other.invited) == same]
    if not guest.only_looks_on or len(watchers) < MOST_WATCHERS:
        return others
    quiet = [watcher for watcher in watchers if watcher.device not in live] or watchers
    leaving = {watcher.device for watcher in quiet[: len(watchers) - MOST_WATCHERS + 1]}
    return [other for other in others if other.device not in leaving]
