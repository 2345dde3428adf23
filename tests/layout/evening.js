// What measures.js cannot see of a whole evening: cards of one row that differ, panels without anything in them,
// what is needed below the fold, pages longer than the screen, and ids that are there twice.  A sentence for each fault; an empty list: all is well.
() => {
  const SLACK = 1.5;
  const LEAST_PICTURE = 65; // pixels: words that need more room than this leaves are scrolled
  const ROWS = ".seats > .seat, .panel, .bidder, .lots > article, .accounts > *, .columns > *, .final > li";
  const NEEDED = ".now-line, .now-bar h1, .acts .button, .action-bar .button, .filled, [data-sheet=menu], [data-sheet=seat_menu]";
  const faults = new Set();
  const root = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
  const named = (node) => {
    const kind = [...node.classList].slice(0, 2).map((name) => `.${name}`).join("");
    const words = (node.getAttribute("aria-label") ?? node.textContent).trim().replace(/\s+/g, " ").slice(0, 40);
    return `${node.localName}${kind} “${words}”`;
  };
  const shown = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.add(`twice: #${id}`);

  // Cards whose upper edges stand on one line are one row: as large, and what they say in type as large, on one line.
  const rows = new Map();
  for (const card of root.querySelectorAll(ROWS)) {
    if (!shown(card)) continue;
    const row = [card.parentElement, Math.round(card.getBoundingClientRect().top / 3), card.localName];
    const same = [...rows.keys()].find((other) => other.every((part, at) => part === row[at])) ?? row;
    rows.set(same, [...(rows.get(same) ?? []), card]);
  }
  for (const [first, ...others] of rows.values()) {
    for (const card of others) {
      const [a, b] = [first.getBoundingClientRect(), card.getBoundingClientRect()];
      if (Math.abs(a.width - b.width) > SLACK) faults.add(`differs in width: ${named(card)} ${b.width.toFixed(0)} and ${a.width.toFixed(0)}`);
      for (const part of ["h2, h3, b.name", ".cash", ".facts, .crew"]) {
        const [mine, theirs] = [card.querySelector(part), first.querySelector(part)];
        if (!mine || !theirs || !shown(mine) || !shown(theirs)) continue;
        const sizes = [mine, theirs].map((node) => parseFloat(getComputedStyle(node).fontSize));
        if (Math.abs(sizes[0] - sizes[1]) > 0.1) faults.add(`differs in type: ${named(mine)} ${sizes.join(" and ")}`);
        const lines = [mine, theirs].map((node) => node.getBoundingClientRect().top);
        // what a house is worth stands on top of it, and houses differ
        if (Math.abs(lines[0] - lines[1]) > 3 && !mine.closest(".stays-over")) faults.add(`differs in line: ${named(mine)} ${lines.map((line) => line.toFixed(0)).join(" and ")}`);
      }
    }
  }

  // A panel says or shows something.
  const THINGS = "svg, img, canvas, video, input, select, textarea, button, meter, progress";
  for (const node of root.querySelectorAll("section, article, aside, header, footer, figure, ol, ul, dl, table, div, fieldset, form")) {
    const box = node.getBoundingClientRect();
    if (box.width < 100 || box.height < 60 || !shown(node) || node.closest("svg")) continue;
    const its = getComputedStyle(node);
    const framed = its.boxShadow !== "none" || its.borderTopWidth !== "0px" || !["rgba(0, 0, 0, 0)", getComputedStyle(document.body).backgroundColor].includes(its.backgroundColor);
    const drawn = its.backgroundImage !== "none" || getComputedStyle(node, "::before").content !== "none";
    const filled = node.textContent.trim() || [...node.querySelectorAll(THINGS)].some(shown);
    if (framed && !drawn && !filled) faults.add(`empty panel: ${named(node)} ${box.width.toFixed(0)} × ${box.height.toFixed(0)}`);
  }

  // What is expected, and what does it, is on the screen without scrolling.
  for (const node of root.querySelectorAll(NEEDED)) {
    if (!shown(node)) continue;
    const box = node.getBoundingClientRect();
    if (box.bottom > innerHeight + SLACK || box.top < -SLACK) faults.add(`below the fold: ${named(node)} ${box.top.toFixed(0)} to ${box.bottom.toFixed(0)}`);
  }

  // Whoever acts reads what is to be done without scrolling, as long as the picture of it can be smaller.
  for (const node of root.querySelectorAll(".seat.up .stage-act:has(> .stage-picture) > .tell")) {
    const scrolled = node.closest(".seat-main");
    const picture = node.parentElement.querySelector(".stage-picture");
    const takesHeight = getComputedStyle(picture).position !== "absolute"; // it stands beside the headline
    if (!takesHeight || picture.offsetHeight <= LEAST_PICTURE) continue;
    const low = node.getBoundingClientRect().bottom + scrolled.scrollTop - scrolled.getBoundingClientRect().bottom;
    if (low > SLACK) faults.add(`covered: ${named(node)} ${low.toFixed(0)} px under the band`);
  }

  // A page that fills the screen has nothing below it, not even what only screen readers hear: some phones pan to it.
  const whole = document.scrollingElement;
  const fills = getComputedStyle(document.body).overflowY === "hidden";
  if (fills && whole.scrollHeight > innerHeight + SLACK) faults.add(`longer than the screen: ${whole.scrollHeight} px`);
  return [...faults].sort();
};
