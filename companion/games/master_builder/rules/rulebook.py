"""The rules by name: where each comes from, and which refusals it speaks through.

Sources are line numbers of the rule texts (000 the French summary, 001 the French rules, 004 the English
ones) and rulings (D01 to D48; V1 to V4 are those on the variants).  The words are in the translations.
"""

from companion.game_api.handbook import Rule, rule
from companion.games.master_builder.rules.rulebook_refusals import REFUSALS

CHAPTERS = ("start", "hire", "contracts", "events", "build", "income", "end", "table")
"""In which order the rules are told: the phases, what comes before and after them, and the table's own manners."""


def _rule(chapter: str, name: str, texts: str = "", rulings: str = "") -> Rule:
    return rule(chapter, name, texts, rulings, " ".join(REFUSALS.get(name, ())))


RULES: tuple[Rule, ...] = (
    _rule("start", "seats", "004:36 004:145-148", "D03"),
    _rule("start", "start_money", "004:67-71 004:142-143", "D39"),
    _rule("start", "decks", "004:88-100 004:126-130", "D07 D48"),
    _rule("start", "house_rules", "004:600-628", "D40 V1 V2 V3 V4"),
    _rule("hire", "first_hires", "004:246-255", "D04"),
    _rule("hire", "opportunities", "004:271-284 004:363-366 000:92-99", "D01 D02 D47"),
    _rule("hire", "wage_track", "004:260-269 004:347-361", "D06"),
    _rule("hire", "supply", "004:88-92 004:356-361", "D05"),
    _rule("hire", "choosing_workers", "004:600-603", "V1"),
    _rule("contracts", "turning_up", "004:370-384", "D01 D20"),
    _rule("contracts", "choosing_a_contract", "004:386-395 004:320-324", "D08 D09"),
    _rule("contracts", "first_contracts", "004:326-340", "D13 D14 D15 D16 D17"),
    _rule("contracts", "bidding", "004:391-398 004:302-305", "D10"),
    _rule("contracts", "bids_in_cash", "004:400-401", "D11 D37"),
    _rule("contracts", "purchase", "004:292-300 004:316-318", "D12"),
    _rule("contracts", "premium", "004:404-407", "D18 D19"),
    _rule("contracts", "removal", "004:409-410", "D18"),
    _rule("events", "event_cards", "004:420-424 004:439-440", "D22"),
    _rule("events", "event_hand", "004:605-607 004:627-628", "V2 V4"),
    _rule("events", "event_choices", "004:426-437", "D22 D23 D24"),
    _rule("events", "event_money", "004:414-418", "D22 D48"),
    _rule("events", "event_wages", "004:435-437", "D06 D24"),
    _rule("build", "plans", "004:488-509", "D25 D26 D33"),
    _rule("build", "teams", "004:456-479 004:426-433", "D23 D25 D27 D28"),
    _rule("build", "houses", "004:511-515 004:636-640", "D29 D30 D32"),
    _rule("build", "city_walls", "004:630-634", "D31"),
    _rule("build", "lending_workers", "004:621-625", "V3"),
    _rule("income", "income", "004:527-532", "D38"),
    _rule("income", "wages", "004:537-541 004:351-352", "D06 D38"),
    _rule("income", "borrowing", "004:543-549 004:558-573", "D34 D35"),
    _rule("income", "repaying", "004:551-564 004:575", "D36 D37"),
    _rule("end", "last_round", "004:587-598", "D41 D42"),
    _rule("end", "reckoning", "004:609-619", "D39 D43 D44 D45 D46"),
    _rule("table", "turns", "004:148 004:240-242", "D21"),
    _rule("table", "whole_thousands", "004:67-71", "D39"),
    _rule("table", "corrections"),
    _rule("table", "forcing"),
    _rule("table", "taking_over"),
    _rule("table", "undoing"),
    _rule("table", "amending"),
    _rule("table", "cards", "004:88-100", "D22 D48"),
    _rule("table", "commands"),
)
"""All rules, chapter by chapter."""

BY_ID: dict[str, Rule] = {one.id: one for one in RULES}
OF_REFUSAL: dict[str, Rule] = {refusal: one for one in RULES for refusal in one.refusals}
