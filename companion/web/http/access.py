"""Access: one list of the least that somebody must be to reach each endpoint, asked before every view.

An endpoint that is not listed is the organiser's alone.  What a view shows, and which command is accepted, depends on
the caller besides: a spectator's view of a table is not its host's.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Literal, TypeAlias

from companion.service.access.logins import Caller

Reach: TypeAlias = Literal["stranger", "guest", "player", "host", "organiser"]
"""The least that somebody must be: anybody at all; anybody who is logged in; somebody who acts at the table; whoever
runs the table; whoever runs the installation.  Of a table that is not theirs nobody but the organiser reaches
anything.
"""

_ENDPOINTS: Mapping[Reach, tuple[str, ...]] = {
    "stranger": (
        "static",
        "api.openapi.describe",
        "api.people.log_in",
        "api.screens.begin_as_screen",
        "assets.game_static",
        "captive.show_api",
        "captive.show_page",
        "entrances.join",
        "entrances.log_in",
        "entrances.log_out",
        "events.send_results",
        "events.show_hall",
        "events.show_results",
        "general.send_certificate",
        "general.show_glossary",
        "general.show_login",
        "general.show_rule",
        "general.show_rules",
        "general.show_trust",
        "health.show_health",
        "health.show_metrics",
        "health.show_readiness",
        "installable.manifest",
        "installable.no_contact",
        "installable.service_worker",
        "join.choose_seat",
        "join.open_short_address",
        "join.show_own_screen",
        "join.take_seat",
        "join.type_letters",
        "screens.show_waiting_screen",
        "typefaces.typeface",
    ),
    "guest": (
        "api.camera.read_picture",
        "api.camera.show_dial",
        "api.knowledge.explain_figure",
        "api.knowledge.look_ahead",
        "api.knowledge.read_journal",
        "api.knowledge.show_notes",
        "api.knowledge.suggest_plan",
        "api.knowledge.tell_needs",
        "api.knowledge.worth_over_rounds",
        "api.people.list_agreements",
        "api.people.log_out",
        "api.proposals.list_proposals",
        "api.stream.follow_table",
        "api.tables.list_tables",
        "api.tables.show_catalog",
        "api.tables.show_hammer",
        "api.tables.show_table",
        "join.follow_table",
        "lobby.show_lobby",
        "story.picture",
        "story.story",
        "tables.display",
        "tables.live",
        "tables.report",
        "tables.seat",
        "tables.tablet",
    ),
    "player": (
        "api.commands.give_command",
        "api.people.answer_agreement",
        "api.people.ask_for_agreement",
        "api.proposals.answer_proposal",
        "api.proposals.post_frame",
        "api.proposals.post_scan",
        "api.proposals.show_proposal_picture",
        "api.tables.show_entry_picture",
    ),
    "host": (
        "api.camera.lay_simulated_card",
        "api.camera.turn_dial",
        "api.camera.view_camera",
        "api.knowledge.compare_with_table",
        "api.knowledge.hand_notes",
        "api.people.invite",
        "api.people.list_guests",
        "api.people.log_out_guest",
        "api.proposals.show_live_picture",
        "api.screens.let_screen_in_by_letters",
        "api.tables.set_hammer",
        "api.tables.show_preparation",
        "api.tables.tick_preparation",
        "join.log_out",
        "screens.ask_to_confirm",
        "screens.let_in",
        "shared_tablet.banker",
        "tables.peek",
    ),
    "organiser": (
        "api.admin.download_backup",
        "api.admin.list_backups",
        "api.admin.look_at_everything",
        "api.admin.make_backup",
        "api.admin.report",
        "api.admin.restore_backup",
        "api.boxes.begin_box",
        "api.boxes.clear_card_place",
        "api.boxes.finish_box",
        "api.boxes.forget_box",
        "api.boxes.forget_card_picture",
        "api.boxes.list_boxes",
        "api.boxes.rename_box",
        "api.boxes.send_card_picture",
        "api.boxes.show_box",
        "api.boxes.show_card_picture",
        "api.boxes.take_card_picture",
        "api.boxes.teach_card",
        "api.boxes.unteach_card",
        "api.calibration.begin_lens",
        "api.calibration.check_camera",
        "api.calibration.keep_lens",
        "api.calibration.keep_mat",
        "api.calibration.look_at_table",
        "api.calibration.look_for_board",
        "api.calibration.show_calibration",
        "api.calibration.show_camera",
        "api.calibration.show_checked_card",
        "api.camera.furnish_simulated_table",
        "api.camera.look_here",
        "api.events.go_on_opening",
        "api.events.list_events",
        "api.events.move_event",
        "api.events.open_event",
        "api.events.seat_people",
        "api.events.show_event",
        "api.events.show_event_results",
        "api.people.invite_to_host",
        "api.people.list_hosts",
        "api.people.log_out_guests",
        "api.people.log_out_host",
        "api.printer.check_sheet",
        "api.printer.forget_printer",
        "api.printer.measure_printer",
        "api.printer.show_printer",
        "api.screens.show_seats",
        "api.shared_catalogs.compare_catalogs",
        "api.shared_catalogs.copy_catalog",
        "api.shared_catalogs.list_catalogs",
        "api.shared_catalogs.save_catalog",
        "api.shared_catalogs.take_in_catalog",
        "api.tables.play_on",
        "api.tables.put_in_bin",
        "api.tables.start_table",
        "events.let_hall_screen_in",
        "events.send_codes",
        "events.show_event",
        "events.show_events",
        "general.send_calibration_sheet",
        "general.show_backups",
        "general.show_calibration",
        "general.show_catalogs",
        "join.send_join_cards",
        "join.show_host",
        "lobby.draft",
        "lobby.show_tables",
        "lobby.show_welcome",
        "lobby.take_answer",
        "lobby.take_over",
        "screens.let_into_lobby",
        "teach.box",
        "teach.boxes",
        "teach.part",
        "teach.photo",
        "teach.preview",
    ),
}
REACH: Mapping[str, Reach] = dict(
    chain.from_iterable(((endpoint, reach) for endpoint in names) for reach, names in _ENDPOINTS.items())
)
"""The least that somebody must be, by endpoint."""


def reach_of(endpoint: str | None) -> Reach:
    """Return the least that somebody must be to reach an endpoint; ``None``, an unknown address, tells guests of it."""
    return "guest" if endpoint is None else REACH.get(endpoint, "organiser")


def may_reach(caller: Caller, reach: Reach, table_id: str | None) -> bool:
    """Return whether somebody who is logged in is at least this, at the table of the address if it names one."""
    if table_id is not None and not caller.may_enter(table_id):
        return False
    match reach:
        case "stranger" | "guest":
            return True
        case "player":
            return caller.actor is not None
        case "host":
            return caller.is_banker
        case "organiser":
            return caller.is_organiser
