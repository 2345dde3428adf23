// Too little contrast of words on this screen: the beginning of each element's HTML.  Contrast depends on the kinds of an
// element and of what is around it, not on its words: an element of kinds that have been looked at on this page is left
// out, unless axe could not tell what lies behind it.
async () => {
  const HIDDEN = ["bgOverlap", "elmPartiallyObscured", "elmPartiallyObscuring", "outsideViewport"];
  const STATES = ["class", "disabled", "aria-pressed", "aria-selected", "aria-current", "data-theme", "data-seat", "open"];
  const seen = (window.contrastSeen ??= new Set());
  const root = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
  const kinds = new Map();
  const kind = (node) => {
    if (!node) return "";
    if (!kinds.has(node)) {
      const states = STATES.map((name) => node.getAttribute(name)).join("|");
      kinds.set(node, `${kind(node.parentElement)} > ${node.localName} ${states} ${node.matches(":checked")}`);
    }
    return kinds.get(node);
  };

  // Of what is scrolled away or covered axe cannot tell, and it takes half a second to say so.
  const inSight = (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return [0.5, 0.1, 0.9].some((x) => [0.5, 0.15, 0.85].some((y) => {
      const hit = document.elementFromPoint(left + x * width, top + y * height);
      return hit && (node.contains(hit) || hit.contains(node));
    }));
  };

  const fresh = new Map();
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    const node = text.parentElement;
    if (!text.data.trim() || fresh.has(kind(node)) || seen.has(kind(node)) || node.closest("script, style, svg, option")) continue;
    if (node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && inSight(node)) fresh.set(kind(node), node);
  }
  if (!fresh.size) return [];
  const options = { runOnly: ["color-contrast"], resultTypes: ["violations", "incomplete"], elementRef: true, selectors: false };
  const { violations, incomplete } = await window.axe.run({ include: [...fresh.values()] }, options);
  const nodes = (rules) => rules.flatMap((rule) => rule.nodes);
  for (const one of fresh.keys()) seen.add(one);
  for (const { any, element } of nodes(incomplete)) if (HIDDEN.includes(any[0]?.data?.messageKey)) seen.delete(kind(element));
  return nodes(violations).map(({ element }) => element.outerHTML.slice(0, 120));
};
