"""Measures of pages, their limits, and what is allowed."""

from pathlib import Path

MEASURES = Path(__file__).with_name("measures.js").read_text(encoding="utf-8")
THUMB = 48
SMALLEST = 14
VERY_LARGE = 24
"""Pixels of *Very large* in Chromium's settings; 16 is usual."""
ALLOWED = "broken word"
"""A word of 24 px that is wider than a phone goes on in the next line, whole: nothing of it is lost."""
OUT_OF_REACH = """() => {
  const root = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
  return [...root.querySelectorAll("[data-sheet=menu], [data-sheet=seat_menu], [data-close], a.back")]
    .filter((one) => one.checkVisibility())
    .map((one) => [one.ariaLabel ?? one.textContent.trim(), one.getBoundingClientRect()])
    .filter(([, at]) => at.left < 0 || at.top < 0 || at.right > innerWidth || at.bottom > innerHeight)
    .map(([label]) => `out of reach: ${label}`);
}"""
"""The menu, and what closes a sheet: on the screen at once, without scrolling."""
