"""The rules by name: where each comes from, and which refusals it speaks through.

Sources are line numbers of the rule text (002, French) and rulings (D01 to D49 of Monopoly Builder).  The words are in
the translations.
"""

from companion.game_api.handbook import HOUSE_RULES, Examples, Handbook, rule

CHAPTERS = ("start", "a_turn", "deeds", "money_owed", "building", "end", "table")

RULES = (
    rule(
        "start", "seats", "002:20-29", "D02 D03",
        "number_of_players colour_taken_twice name_length name_unseen names_alike unknown_player",
    ),
    rule("start", "bank", "002:19 002:283", "D01 D05 D11", "not_a_multiple cannot_pay tray_is_short"),
    rule("start", "house_rules", "", "D48 D49", "unknown_rule unknown_rule_value unknown_variant"),
    rule("a_turn", "order", "002:35-41", "D06", "not_your_turn not_now bankrupt"),
    rule("a_turn", "discarding", "002:45", "D07", "not_as_many_as_due not_so_many_chips unknown_kind"),
    rule("a_turn", "gathering", "002:55-61", "D08 D09 D10", "no_such_dice"),
    rule("a_turn", "doubles", "002:73", "D12"),
    rule("a_turn", "moving", "002:69 002:159", "D13 D14"),
    rule("a_turn", "collecting", "002:147-153", "D26"),
    rule("a_turn", "chance", "002:163-167", "D27", "somebody_keeps_it unknown_chance"),
    rule(
        "a_turn", "kept_cards", "002:165 002:197", "D28",
        "only_in_your_turn no_exchange_by_this_card say_the_exchange",
    ),
    rule("a_turn", "stealing", "002:171", "D29", "not_with_oneself has_no_such_chip"),
    rule("a_turn", "free_parking", "002:177", "D30", "two_chips a_kind_that_is_given"),
    rule("a_turn", "jail", "002:189-201", "D31 D32 D33 D34", "not_in_jail not_in_jail_here"),
    rule("a_turn", "bank_trade", "002:77-81", "D16"),
    rule("deeds", "buying", "002:123", "D04 D20", "turned_up_already"),
    rule(
        "deeds", "auction", "002:127-129 002:191", "D21 D22 D23",
        "bid_too_low passed_already declined_already leads_already no_auction hammer_now",
    ),
    rule("deeds", "trading", "002:205", "D15", "nothing_to_trade only_jail_cards not_held trade_it"),
    rule(
        "deeds", "mortgages", "002:213-219", "D35 D36",
        "mortgaged_already not_mortgaged not_your_deed mortgage_it lift_the_mortgage not_in_an_auction",
    ),
    rule("money_owed", "rent", "002:131-143", "D10 D24 D25", "no_such_claim"),
    rule("money_owed", "debts", "002:213", "D37", "debt_open debts_first owes_nothing"),
    rule("money_owed", "bankruptcy", "002:223-227", "D38 D39 D40 D41", "can_still_mortgage"),
    rule(
        "building", "floors", "002:89-111", "D17 D18 D19",
        "say_the_chips not_the_cost no_block_left no_building_in_jail",
    ),
    rule("building", "sites", "002:99-111", "D18", "unknown_cell not_your_building"),
    rule("end", "penthouse", "002:231", "D42 D43", "game_over"),
    rule("end", "points", "002:250-264", "D44 D45 D46"),
    rule("end", "ranking", "002:272", "D47"),
    rule(
        "table", "corrections", "", "D18",
        "reason_missing nothing_would_change nobody_keeps_it on_offer no_such_height say_the_owner "
        "the_penthouse_stands jail_is_elsewhere no_such_tries say_player_or_phase "
        "unknown_space unknown_place not_mortgaged_ever",
    ),
    rule(
        "table", "taking_over", "", "",
        "position_faulty bankrupt_has_something in_two_places disagrees face_down nothing_under_way",
    ),
    rule("table", "cards", "", "D27 D49", "unknown_card unknown_deed card_means_nothing unknown_catalog"),
    *HOUSE_RULES,
)  # fmt: skip

EXAMPLES = Examples(
    names={"red": "Ada", "green": "Ben"},
    details={
        "player": "red",
        "waiting": ("green",),
        "card": "D05",
        "phase": "roll",
        "kind": "purple",
        "amount": 120,
        "least": 60,
        "due": 2,
        "floor": 3,
        "cell": "B3",
        "space": 9,
        "place": "space_9",
        "height": 5,
        "tries": 3,
        "key": "deeds",
        "value": "never",
        "allowed": ("beside", "shuffled"),
        "variant": "flying_chips",
        "faults": ({"rule": "in_two_places", "details": {"card": "D05"}},),
    },
    of_one={
        "number_of_players": {"least": 2, "most": 4},
        "not_so_many_chips": {"place": "red", "count": 2, "there": 1},
        "tray_is_short": {"count": 2, "there": 1},
        **{refusal: {"card": "C03"} for refusal in ("unknown_chance", "somebody_keeps_it", "nobody_keeps_it")},
    },
)

HANDBOOK = Handbook(CHAPTERS, RULES, EXAMPLES)
