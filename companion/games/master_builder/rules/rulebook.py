"""The rules by name: where each comes from, and which refusals it speaks through.

Sources are line numbers of the rule texts (000 the French summary, 001 the French rules, 004 the English
ones) and rulings (D01 to D48; V1 to V4 are those on the variants).  The words are in the translations.
"""

from companion.game_api.handbook import Rule, rule

CHAPTERS = ("start", "hire", "contracts", "events", "build", "income", "end", "table")
"""In which order the rules are told: the phases, what comes before and after them, and the table's own manners."""

RULES: tuple[Rule, ...] = (
    rule(
        "start", "seats", "004:36 004:145-148", "D03",
        "number_of_players colour_taken_twice name_length name_unseen names_alike",
    ),
    rule("start", "start_money", "004:67-71 004:142-143", "D39"),
    rule("start", "decks", "004:88-100 004:126-130", "D07 D48", "catalog_faulty unknown_catalog letters_missing"),
    rule(
        "start", "house_rules", "004:600-628", "D40 V1 V2 V3 V4",
        "unknown_rule unknown_rule_value unknown_variant variant_not_played",
    ),
    rule("hire", "first_hires", "004:246-255", "D04", "no_pass_in_round_1 no_firing_in_round_1"),
    rule(
        "hire", "opportunities", "004:271-284 004:363-366 000:92-99", "D01 D02 D47",
        "rest_only_when_hiring rest_does_not_exist",
    ),
    rule("hire", "wage_track", "004:260-269 004:347-361", "D06", "wage_limit dismiss_just_enough"),
    rule("hire", "supply", "004:88-92 004:356-361", "D05", "worker_taken not_your_worker no_hiring_now"),
    rule(
        "hire", "choosing_workers", "004:600-603", "V1",
        "looked_already pile_is_empty hire_from_that_pile nobody_fits_there",
    ),
    rule(
        "contracts", "turning_up", "004:370-384", "D01 D20",
        "economy_first economy_not_due cards_first reveal_count contract_seen turned_before no_contracts_now",
    ),
    rule("contracts", "choosing_a_contract", "004:386-395 004:320-324", "D08 D09", "not_on_display auction_running"),
    rule(
        "contracts", "first_contracts", "004:326-340", "D13 D14 D15 D16 D17",
        "must_take_a_contract must_borrow_first may_not_bid",
    ),
    rule("contracts", "bidding", "004:391-398 004:302-305", "D10", "bid_below_cost bid_too_low no_auction"),
    rule("contracts", "bids_in_cash", "004:400-401", "D11 D37", "no_loans_for_bids bound_by_bid"),
    rule("contracts", "purchase", "004:292-300 004:316-318", "D12"),
    rule("contracts", "premium", "004:404-407", "D18 D19"),
    rule("contracts", "removal", "004:409-410", "D18"),
    rule("events", "event_cards", "004:420-424 004:439-440", "D22", "event_not_due"),
    rule("events", "event_hand", "004:605-607 004:627-628", "V2 V4", "event_from_hand no_event_in_hand"),
    rule(
        "events", "event_choices", "004:426-437", "D22 D23 D24",
        "choose_so_many no_workers_to_choose worker_not_among_them no_sections_to_choose sections_cannot_go",
    ),
    rule("events", "event_money", "004:414-418", "D22 D48"),
    rule("events", "event_wages", "004:435-437", "D06 D24"),
    rule("build", "plans", "004:488-509", "D25 D26 D33", "not_your_contract no_such_section built_already"),
    rule(
        "build", "teams", "004:456-479 004:426-433", "D23 D25 D27 D28",
        "team_does_not_fit worker_twice worker_face_down",
    ),
    rule(
        "build", "houses", "004:511-515 004:636-640", "D29 D30 D32",
        "needs_wall_and_gable roof_needs_four_walls roof_waits_a_phase roofs_together",
    ),
    rule("build", "city_walls", "004:630-634", "D31", "needs_wall_and_side first_wall_first"),
    rule(
        "build", "lending_workers", "004:621-625", "V3",
        "worker_not_free worker_lent not_to_oneself too_late_to_lend",
    ),
    rule("income", "income", "004:527-532", "D38"),
    rule("income", "wages", "004:537-541 004:351-352", "D06 D38"),
    rule("income", "borrowing", "004:543-549 004:558-573", "D34 D35", "loan_sold_out must_borrow_for_wages"),
    rule("income", "repaying", "004:551-564 004:575", "D36 D37", "no_such_loan"),
    rule("end", "last_round", "004:587-598", "D41 D42", "game_over"),
    rule("end", "reckoning", "004:609-619", "D39 D43 D44 D45 D46"),
    rule("table", "turns", "004:148 004:240-242", "D21", "not_your_turn not_in_this_phase unknown_player"),
    rule("table", "whole_thousands", "004:67-71", "D39", "not_whole_thousands cannot_pay nothing_to_move same_account"),
    rule(
        "table", "corrections", "", "",
        "reason_missing lies_there_already no_such_place under_the_hammer deck_is_empty undo_instead",
    ),
    rule(
        "table", "forcing", "", "",
        "cannot_wait_for leads_the_auction name_the_phase no_such_round nothing_would_change one_at_a_time",
    ),
    rule(
        "table", "taking_over", "", "",
        "belongs_to_phase cash_cannot_be disagrees economy_deck_cannot_be event_hand_cannot_be events_cannot_be "
        "finished_but_unpaid in_two_places last_round_cannot_be leader_left loans_cannot_be money_does_not_add_up "
        "more_contracts_than_there_are more_money_than_in_the_box no_such_effect no_such_lap passes_cannot_be "
        "plans_are_made_again position_faulty premium_cannot_be reveal_cannot_be say_the_last_round seats_differ "
        "section_twice two_contracts_in_round_1 wage_cannot_be wage_of_nobody",
    ),
    rule("table", "undoing", "", "", "nothing_to_undo nothing_to_redo"),
    rule(
        "table", "amending", "", "",
        "not_standing nothing_amended unconfirmed start_stays amend_reveals secret_refused too_many_amends",
    ),
    rule(
        "table", "cards", "004:88-100", "D22 D48",
        "card_means_nothing named_twice unknown_card unknown_contract unknown_economy unknown_event unknown_worker",
    ),
    rule(
        "table", "commands", "", "",
        "missing_field no_command not_json utf16 not_started started_already unknown_command unknown_field "
        "not_in_this_game unknown_game wrong_type card_not_stored",
    ),
)  # fmt: skip
"""All rules, chapter by chapter. A new refusal goes where players would look for it; a test finds it missing."""

BY_ID: dict[str, Rule] = {rule.id: rule for rule in RULES}
