"""Hands in the default UI: a command is given by the taps that lead to it on a page, whatever the game."""

import json
from typing import Any

from playwright.sync_api import Locator, Page

from tests.pages import answered

Json = dict[str, Any]

BUTTONS, FORMS = ".plain-forms [data-command]", ".plain-forms form[data-send]"


def give(page: Page, command: Json) -> None:
    """Submit a command by taps: its button, or its form with every field filled."""
    answered(page)
    wanted = {key: value for key, value in command.items() if value is not None}
    button = _matching(page.locator(BUTTONS), "data-command", wanted, whole=True)
    if button is None and _matching(page.locator(FORMS), "data-send", wanted) is None:
        button = _asking_more(page.locator(BUTTONS), wanted)
    if button is not None:
        unfold(button)
        button.click()
        return
    opener = _matching(page.locator(".plain-forms [data-sheet=offer]"), "data-like", wanted)
    if opener is not None:
        unfold(opener)
        opener.click()
        forms, pictures = page.locator("#sheet form[data-send]"), page.locator("#sheet [data-command]")
        forms.or_(pictures).first.wait_for()
        if picture := _matching(pictures, "data-command", wanted, whole=True):
            picture.click()
            return
    else:
        forms = page.locator(FORMS)
    form = _matching(forms, "data-send", wanted, holds=True)
    assert form is not None, (command, page.locator(".plain-forms").all_inner_texts())
    unfold(form)
    begun = json.loads(str(form.get_attribute("data-send")))
    rest = {key: value for key, value in wanted.items() if begun.get(key) != value}
    sent = _filled(form, rest)
    if not sent:
        _choose_what_is_asked_besides(form)
        form.locator("button.button:not([type=button])").last.click()


def unfold(wanted: Locator) -> None:
    """Open what this is folded away behind: a part of the page, or a panel over it."""
    wanted.evaluate(
        """(node) => {
          const fold = node.closest("details");
          if (fold) fold.open = true;
          const over = node.closest("[popover]");
          if (over && !over.matches(":popover-open")) over.showPopover();
        }"""
    )


def _matching(
    candidates: Locator, attribute: str, wanted: Json, *, whole: bool = False, holds: bool = False
) -> Locator | None:
    """Find what leads to a command: all that it has settled is as wanted, or it is the whole of it.

    ``holds``: what is still to be chosen can be chosen there.
    """
    for candidate in candidates.all():
        settled = json.loads(str(candidate.get_attribute(attribute)))
        same = all(wanted.get(key, value) == value for key, value in settled.items() if value not in ({}, []))
        if not same or settled.get("do") != wanted["do"] or (whole and settled != wanted):
            continue
        words = {key: value for key, value in wanted.items() if isinstance(value, str) and key not in settled}
        if not holds or all(
            candidate.locator(f"[name='{key}'][value='{value}']").count() for key, value in words.items()
        ):
            return candidate
    return None


def _asking_more(buttons: Locator, wanted: Json) -> Locator | None:
    """Find the first button that settles all that is wanted, and besides what the command leaves open."""
    for button in buttons.all():
        settled = json.loads(str(button.get_attribute("data-command")))
        if all(settled.get(key) == value for key, value in wanted.items()):
            return button
    return None


def _filled(form: Locator, rest: Json, prefix: str = "") -> bool:
    """Fill the fields of a form, and say whether the last tap has sent it."""
    dice_alone = bool(form.locator("fieldset.dice").count()) and not form.locator("fieldset:not(.dice)").count()
    for name, value in rest.items():
        _chosen(form, f"{prefix}{name}", value)
    return dice_alone


def _choose_what_is_asked_besides(form: Locator) -> None:
    """Choose the first of each choice that the page asks for and the command leaves open."""
    while (asked := form.locator("fieldset:has(input[type=radio]:invalid) input[type=radio]")).count():
        asked.first.check()


def _chosen(form: Locator, name: str, value: Any) -> None:
    """Choose what a field is to hold."""
    match value:
        case list() if form.locator(f"[data-die='{name}']").count():
            for die, face in enumerate(value):
                form.locator(f"[name='{name}-{die}'][value='{face}']").click()
        case dict() if form.locator(f"[name='{name}'][data-of]").count():
            kinds = form.locator(f"[name='{name}'][data-of]")
            offered = [str(field.get_attribute("data-of")) for field in kinds.all()]
            # First fewer, then more: a page that suggests how to pay holds as many as are due.
            for kind in sorted(offered, key=lambda kind: value.get(kind, 0)):
                _counted(form.locator(f".stepper:has([name='{name}'][data-of='{kind}'])"), value.get(kind, 0))
        case dict():
            if form.locator(f"[name^='{name}.']").count():  # elsewhere there is no choice: the rules know it
                _filled(form, value, f"{name}.")
        case list():
            for choice in value:
                form.locator(f"[name='{name}'][value='{choice}']").check()
        case int() if not isinstance(value, bool):
            _counted(form.locator(f".stepper:has([name='{name}'])"), value)
        case _:
            form.locator(f"[name='{name}'][value='{value}']").check()


def _counted(stepper: Locator, wanted: int) -> None:
    """Tap a stepper to a figure, by the largest steps that fit."""
    at = stepper.locator("input[type=hidden]")
    steps = sorted(
        {int(button.get_attribute("data-add") or 0) for button in stepper.locator("[data-add]").all()}, key=abs
    )
    while (missing := wanted - int(at.input_value())) != 0:
        fitting = [step for step in steps if step * missing > 0 and abs(step) <= abs(missing)]
        stepper.locator(f"[data-add='{fitting[-1]}']").first.click()
