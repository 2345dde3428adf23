// What lies badly on this screen: a sentence for each fault, naming the element; an empty list when all is well.
// Whatever lies under an open sheet is not looked at: it cannot be used either.
//
// Words are measured where their glyphs stand, not by the boxes around them: a box may be larger than the screen
// for good reasons, a word may not.
(wanted) => {
  const { target, letters } = wanted; // least side of what is touched, and least size of letters, in CSS pixels
  const QUIRKS = ".quirks, .chip-foot, .chip-foot *, .letter-quirk"; // the one thing that may be smaller
  const SLACK = 1.5;
  const AIR = 3; // pixels that a card leaves round its words
  const SLIVER = 4; // pixels of a line that is scrolled away but for these
  const UNSPACED = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}/u; // break at any letter
  const faults = new Set();
  const sheets = [...document.querySelectorAll("dialog:modal")];
  const root = sheets.at(-1) ?? document.body;
  const styles = new Map();
  const style = (node) => styles.get(node) ?? styles.set(node, getComputedStyle(node)).get(node);

  // An element, what it lies in, and what that lies in, up to the body.
  const chains = new Map();
  const chain = (node) => {
    if (!chains.has(node)) {
      const around = node.parentElement;
      chains.set(node, around && around !== document.documentElement ? [node, ...chain(around)] : [node]);
    }
    return chains.get(node);
  };
  const named = (node) => {
    const words = (node.getAttribute("aria-label") ?? node.textContent).trim().replace(/\s+/g, " ").slice(0, 40);
    const kind = [...node.classList].slice(0, 2).map((one) => `.${one}`).join("");
    const beside = node.parentElement?.closest("[class], [id]");
    const within = beside?.id ? `#${beside.id} ` : beside?.classList.length ? `.${beside.classList[0]} ` : "";
    return `${within}${node.localName}${node.id ? `#${node.id}` : kind} “${words}”`;
  };
  const tell = (fault, node, more = "") => faults.add(`${fault}: ${named(node)}${more && ` ${more}`}`);

  const hides = (node) => {
    const its = style(node);
    return its.visibility === "hidden" || its.opacity === "0" || its.display === "none" || its.clipPath.startsWith("inset(50%");
  };
  const unseenOnes = new Map();
  const unseen = (node) => {
    if (!unseenOnes.has(node)) unseenOnes.set(node, chain(node).some(hides));
    return unseenOnes.get(node);
  };
  const floating = (node) => chain(node).find((at) => ["fixed", "sticky"].includes(style(at).position)) ?? null;

  // What an ancestor leaves to be seen of a box, and whether it can be scrolled to the rest.
  const window_ = { left: 0, right: innerWidth, top: 0, bottom: innerHeight };
  const clipped = (box, node, own = false) => {
    const left = { left: box.left, right: box.right, top: box.top, bottom: box.bottom, cut: null };
    let placed = style(node).position;
    for (const at of chain(node).slice(own ? 0 : 1)) {
      const its = style(at);
      if (placed === "fixed") break;
      if (its.display === "contents") continue;
      if (placed === "absolute" && its.position === "static") continue;
      placed = its.position;
      const whole = at === document.body;
      const edge = whole ? window_ : at.getBoundingClientRect();
      for (const [axis, from, to] of [["overflowX", "left", "right"], ["overflowY", "top", "bottom"]]) {
        if (its[axis] === "visible") continue;
        const away = left[from] < edge[from] - SLACK || left[to] > edge[to] + SLACK;
        if (away && (its[axis] === "hidden" || its[axis] === "clip")) left.cut ??= at;
        left[from] = Math.max(left[from], edge[from]);
        left[to] = Math.min(left[to], edge[to]);
      }
      if (empty(left)) break; // scrolled away, or cut as a whole
    }
    return left;
  };
  const empty = (box) => box.right - box.left < SLACK || box.bottom - box.top < SLACK;

  // Every line of every text, as the box that its glyphs fill.
  const texts = [];
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    const node = text.parentElement;
    if (!text.data.trim() || node.closest("script, style, title, desc, option, noscript")) continue;
    if (!node.checkVisibility() || unseen(node)) continue;
    const drawn = node.closest("svg");
    const size = parseFloat(style(node).fontSize) * (drawn ? node.getScreenCTM().d : 1);
    if (size < letters - 0.1 && !node.matches(QUIRKS) && !node.closest(QUIRKS)) tell("small letters", node, `${size.toFixed(1)} px`);
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = range.getClientRects();
    if (lines.length > 1) {
      // between blanks, hyphens and soft hyphens, which are good places
      for (const word of text.data.matchAll(/(?<![^\s\u00ad\u2010-\u2015\/-])[^\s\u00ad\u2010-\u2015\/-]{2,30}(?![^\s\u00ad\u2010-\u2015\/-])/g)) {
        if (UNSPACED.test(word[0]) || node.matches(".address")) continue; // an address has no words
        range.setStart(text, word.index + Number(text.data[word.index - 1] === "\u00ad")); // its hyphen stands a line above
        range.setEnd(text, word.index + word[0].length);
        if (new Set([...range.getClientRects()].filter((line) => line.width > 1).map((line) => line.top)).size > 1) tell("broken word", node, word[0]);
      }
    }
    for (const line of lines) {
      if (line.width < 1) continue;
      const middle = (line.top + line.bottom) / 2;
      const box = { left: line.left, right: line.right, top: middle - size * 0.38, bottom: middle + size * 0.3 };
      const left = clipped(box, node, !drawn);
      if (left.cut) tell("cut words", node, `by ${named(left.cut)}`);
      if (box.right > innerWidth + SLACK || box.left < -SLACK) tell("off the screen", node);
      const frame = chain(node).find((at) => style(at).display !== "inline" && (bordered(at) || scrolls(at)));
      if (frame && !left.cut && !drawn && !scrolls(frame)) {
        const edge = frame.getBoundingClientRect();
        if (box.left < edge.left - SLACK || box.right > edge.right + SLACK) tell("spilled words", node, `out of ${named(frame)}`);
        else if (box.top < edge.top - SLACK || box.bottom > edge.bottom + SLACK) tell("spilled lines", node, `out of ${named(frame)}`);
        else if (card(frame, edge) && Math.min(box.left - edge.left, box.top - edge.top, edge.right - box.right, edge.bottom - box.bottom) < AIR)
          tell("words at the edge", node, `of ${named(frame)}`);
      }
      if (!empty(left)) texts.push({ ...left, node, over: floating(node) });
    }
  }
  function card(node, box) {
    return box.width > 120 && box.height > 50 && parseFloat(style(node).borderTopLeftRadius) >= 8;
  }
  function scrolls(node) {
    return style(node).overflowY !== "visible";
  }
  function bordered(node) {
    const its = style(node);
    if (node.closest("svg")) return false;
    return its.backgroundColor !== "rgba(0, 0, 0, 0)" || its.borderTopWidth !== "0px" || its.boxShadow !== "none";
  }

  // Words on words.
  texts.sort((a, b) => a.top - b.top);
  texts.forEach((one, index) => {
    for (let next = index + 1; next < texts.length && texts[next].top < one.bottom - SLACK; next += 1) {
      const other = texts[next];
      if (other.over !== one.over || other.node === one.node) continue;
      if (Math.min(one.right, other.right) - Math.max(one.left, other.left) > SLACK) tell("words on words", one.node, `and ${named(other.node)}`);
    }
  });

  // Something painted on words.
  const paints = (node) =>
    !unseen(node) && (node.closest("svg") ? !["none"].includes(style(node).fill) : bordered(node) || node.localName === "img");
  for (const { node, over, ...box } of texts) {
    if (box.bottom - box.top < SLIVER) continue;
    const y = (box.top + box.bottom) / 2;
    for (const x of [box.left + 2, (box.left + box.right) / 2, box.right - 2]) {
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      const first = document.elementFromPoint(x, y);
      if (first && (first.contains(node) || node.contains(first))) continue; // nothing lies on them
      for (const hit of document.elementsFromPoint(x, y)) {
        if (hit.contains(node) || node.contains(hit)) break;
        if (floating(hit) !== over || !root.contains(hit)) break;
        if (paints(hit)) {
          tell("covered words", node, `by ${named(hit)}`);
          break;
        }
      }
    }
  }

  // Sideways.
  if (document.documentElement.scrollWidth > innerWidth + 1) faults.add("the page scrolls sideways");
  for (const node of root.querySelectorAll("*")) {
    if (node.clientWidth && ["auto", "scroll"].includes(style(node).overflowX) && node.scrollWidth > node.clientWidth + 1 && !unseen(node))
      tell("scrolls sideways", node, `${node.scrollWidth} in ${node.clientWidth}`);
  }

  // What is touched: large enough, and nothing else in the way.
  const touched = (node) => (node.matches("input[type=radio], input[type=checkbox]") ? (node.closest("label") ?? node) : node);
  const targets = new Set(
    [...root.querySelectorAll("button, a[href], summary, select, textarea, input:not([type=hidden]), [role=button]")]
      .filter((node) => node.checkVisibility())
      .map(touched)
      .filter((node) => !unseen(node)),
  );
  for (const node of targets) {
    const box = node.getBoundingClientRect();
    if (target && (box.width < target - 0.5 || box.height < target - 0.5))
      tell("small target", node, `${box.width.toFixed(0)} × ${box.height.toFixed(0)}`);
    const left = clipped(box, node);
    if (left.cut) tell("cut target", node, `by ${named(left.cut)}`);
    const [x, y] = [(left.left + left.right) / 2, (left.top + left.bottom) / 2];
    if (empty(left) || left.bottom - left.top < SLIVER || node.disabled || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
    const hit = document.elementFromPoint(x, y);
    if (hit && !node.contains(hit) && !hit.contains(node) && floating(hit) === floating(node)) tell("target under another", node, `by ${named(hit)}`);
  }
  return [...faults].sort();
};
