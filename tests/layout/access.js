// Where the focus is: null when it is lost, else whether it can be seen and where it stands.
() => {
  const node = document.activeElement;
  if (!node || node === document.body || node === document.documentElement) return null;
  const ringed = (one) => one && getComputedStyle(one).outlineStyle !== "none" && parseFloat(getComputedStyle(one).outlineWidth) >= 2;
  // A box that lies unseen over its label lets the label show the ring.
  const seen = [node, node.nextElementSibling, node.closest("label"), node.parentElement].some(ringed);
  const words = (node.getAttribute("aria-label") ?? node.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
  return { seen, at: (window.stops ?? []).indexOf(node), name: `${node.localName}#${node.id} ${node.name ?? ""} “${words}”` };
};
