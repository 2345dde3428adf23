"""The rules by name: where each comes from, and which refusals it speaks through.

Sources are line numbers of the rule text (003, French) and rulings (D01 to D28 of Men at Work).  The words are in the
translations.
"""

from companion.game_api.handbook import HOUSE_RULES, Examples, Handbook, rule

CHAPTERS = ("start", "a_turn", "accidents", "the_boss", "end", "variants", "table")

RULES = (
    rule(
        "start", "seats", "003:63", "D02",
        "number_of_players colour_taken_twice name_length name_unseen names_alike unknown_player",
    ),
    rule("start", "levels", "003:35-38", "D03"),
    rule("start", "laid_ready", "003:25-33", "D04"),
    rule("start", "house_rules", "", "D27", "unknown_rule unknown_rule_value unknown_variant variant_twice"),
    rule("a_turn", "order", "003:62-75", "D01", "not_your_turn not_now"),
    rule(
        "a_turn", "what_and_how", "003:67-75", "D26",
        "in_the_discard wrong_way_up unlike_back no_card_left_to_show known_back",
    ),
    rule("a_turn", "placing", "003:318-403", "D12 D26"),
    rule("a_turn", "colours", "003:143", "D07 D10", "no_colour_here colour_does_not_fit"),
    rule("a_turn", "impossible", "003:318", "D08 D10"),
    rule("a_turn", "empty_pile", "003:67-73", "D20"),
    rule("accidents", "accident", "003:160-178", "D11 D12 D13"),
    rule(
        "accidents", "cleaning", "003:180-208", "D13 D14",
        "only_supports_now no_pieces unknown_piece not_so_many",
    ),
    rule("accidents", "elimination", "003:175-178", "D17", "player_is_out"),
    rule("the_boss", "boss", "003:212-219", "D05 D06", "boss_on_duty must_be_the_boss"),
    rule("the_boss", "highest", "003:221-228", "D15 D16", "boss_not_on_duty no_award_left"),
    rule("end", "ends", "003:233-249", "D18 D28", "game_over"),
    rule("end", "exhausted", "003:236-239", "D09 D10"),
    rule("end", "ranking", "003:233-249", "D19"),
    rule(
        "variants", "foreman", "003:256-302", "D21 D22 D25",
        "seen_before foreman_card foreman_card_where played_card_on_top no_hands",
    ),
    rule("variants", "crane", "003:274", "D23 D25"),
    rule("variants", "skyscraper", "003:251-304", "D24", "no_floor never_on_the_floor fell_to_the_floor"),
    rule("variants", "without_counts", "", "D27", "nothing_is_counted"),
    rule(
        "table", "corrections", "", "D28",
        "reason_missing nothing_would_change same_place certificates_cannot_be awards_cannot_be hand_cannot_be "
        "played_onto_the_pile top_of_the_discard lies_there_already not_in_the_pile",
    ),
    rule("table", "taking_over", "", "", "seats_differ no_such_turn too_few_left named_twice too_many_cards"),
    rule("table", "cards", "", "D05", "unknown_card card_means_nothing unknown_catalog"),
    *HOUSE_RULES,
)  # fmt: skip

EXAMPLES = Examples(
    names={"blue": "Ada", "yellow": "Ben"},
    details={
        "player": "blue",
        "waiting": ("yellow",),
        "card": "I07",
        "cards": ("I07",),
        "back": "GOW",
        "colour": "black",
        "colours": ("orange", "white"),
        "piece": "bricks",
        "count": 3,
        "lying": 2,
        "least": 2,
        "most": 3,
        "turn": 0,
        "phase": "place",
        "key": "boss_at",
        "value": "never",
        "allowed": ("quarter", "third", "half"),
        "variant": "flying_workers",
    },
    of_one={
        "number_of_players": {"most": 5},
        "hand_cannot_be": {"most": 2},
        "awards_cannot_be": {"most": 13},
        "never_on_the_floor": {"piece": "supports"},
    },
)

HANDBOOK = Handbook(CHAPTERS, RULES, EXAMPLES)
