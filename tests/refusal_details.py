"""The details of each refusal beside its rule: phones and other programs rely on these names.

A rule with several lines tells now this, now that.
"""

from collections.abc import Mapping
from string import Formatter

from companion.games.master_builder import GAME
from companion.words import Words

DETAILS: dict[str, tuple[str, ...]] = {
    "auction_running": ("card",),
    "bid_below_cost": ("bid least",),
    "bid_too_low": ("bid least",),
    "bound_by_bid": ("amount bid kept player", "amount bid cash kept player"),
    "built_already": ("card section",),
    "cannot_pay": ("amount cash player", "amount bid cash player", "amount player"),
    "cannot_wait_for": ("phase player",),
    "cards_first": ("",),
    "choose_so_many": ("count",),
    "colour_taken_twice": ("",),
    "contract_seen": ("card",),
    "deck_is_empty": ("card",),
    "dismiss_just_enough": ("limit",),
    "economy_first": ("",),
    "economy_not_due": ("",),
    "event_not_due": ("card",),
    "game_over": ("",),
    "hire_from_that_pile": ("type",),
    "leads_the_auction": ("player",),
    "lies_there_already": ("card place",),
    "loan_sold_out": ("loan",),
    "looked_already": ("",),
    "must_borrow_first": ("player",),
    "must_borrow_for_wages": ("missing player",),
    "must_take_a_contract": ("player",),
    "name_length": ("limit_characters",),
    "name_the_phase": ("",),
    "named_twice": ("cards",),
    "no_auction": ("",),
    "no_firing_in_round_1": ("player",),
    "no_loans_for_bids": ("player",),
    "no_pass_in_round_1": ("player",),
    "no_sections_to_choose": ("player",),
    "no_such_loan": ("loan player",),
    "no_such_place": ("card place",),
    "no_such_round": ("last round",),
    "no_such_section": ("card section",),
    "no_workers_to_choose": ("player",),
    "nobody_fits_there": ("type",),
    "not_in_this_phase": ("phase",),
    "not_on_display": ("card",),
    "not_started": ("",),
    "not_to_oneself": ("player",),
    "not_whole_thousands": ("amount",),
    "not_your_contract": ("card player",),
    "not_your_turn": ("player waiting",),
    "not_your_worker": ("card player",),
    "nothing_to_move": ("",),
    "nothing_would_change": ("",),
    "number_of_players": ("least most",),
    "one_at_a_time": ("",),
    "pile_is_empty": ("type",),
    "reason_missing": ("",),
    "rest_does_not_exist": ("",),
    "rest_only_when_hiring": ("",),
    "reveal_count": ("due",),
    "same_account": ("account",),
    "sections_cannot_go": ("count player",),
    "started_already": ("",),
    "team_does_not_fit": ("card code section team",),
    "too_late_to_lend": ("",),
    "turned_before": ("card",),
    "under_the_hammer": ("card",),
    "undo_instead": ("card",),
    "card_means_nothing": ("card",),
    "card_not_stored": ("card",),
    "unknown_card": ("card",),
    "unknown_catalog": ("name",),
    "unknown_contract": ("card",),
    "unknown_economy": ("card",),
    "unknown_event": ("card",),
    "unknown_player": ("player",),
    "unknown_rule": ("key",),
    "unknown_rule_value": ("allowed key value",),
    "unknown_variant": ("variant",),
    "unknown_worker": ("card",),
    "variant_not_played": ("variant",),
    "wage_limit": ("limit player wages",),
    "worker_not_among_them": ("card choices",),
    "worker_not_free": ("card",),
    "worker_taken": ("card owner",),
    "worker_twice": ("card",),
}


def check_details(rule: str, details: Mapping[str, object]) -> None:
    """See that a refusal tells what its sentence names, without gaps, and what programs rely on."""
    sentence = Words("en", GAME).template(rule, "refused")
    named = {field for _, field, _, _ in Formatter().parse(sentence) if field}
    assert named <= details.keys(), f"the sentence of {rule} names what the refusal does not tell"
    assert None not in details.values(), rule
    result = DETAILS.get(rule)
    assert result is None or " ".join(sorted(details)) in result, rule
