"use strict";
// Highlights what belongs together. The page says everything without it.
document.documentElement.classList.add("live");
for (const doc of document.querySelectorAll(".doc")) {
  const rows = doc.querySelectorAll(".edu");
  let pinned = null;
  let visited = 0;

  const clear = (...names) => {
    for (const name of names) for (const element of doc.querySelectorAll(`.${name}`)) element.classList.remove(name);
  };
  const lightChain = (chain) => {
    clear("on");
    doc.classList.toggle("lit", chain !== null);
    if (chain === null) return;
    for (const element of doc.querySelectorAll(`[data-c="${chain}"]`)) element.classList.add("on");
  };
  const lightRelation = (label) => {
    clear("part", "other", "hot");
    if (label === null) return;
    for (const name of ["part", "other"]) {
      const [start, end] = label.dataset[name].split(" ").map(Number);
      for (let row = start; row < end; row++) rows[row].classList.add(name);
    }
    for (const line of doc.querySelectorAll(`[data-l="${label.dataset.line}"]`)) line.classList.add("hot");
  };
  const follow = (event) => {
    const target = event.type === "mouseout" || event.type === "focusout" ? event.relatedTarget : event.target;
    const within = target instanceof Element && doc.contains(target) ? target : null;
    const mention = within && within.closest("[data-c]");
    lightChain(mention ? mention.dataset.c : pinned);
    lightRelation(within && within.closest("[data-part]"));
  };
  for (const type of ["mouseover", "mouseout", "focusin", "focusout"]) doc.addEventListener(type, follow);

  // A click keeps a chain lit; each further click on its entry in the list leads to the next mention.
  doc.addEventListener("click", (event) => {
    const mention = event.target.closest("[data-c]");
    if (event.target.closest("a:not([data-c])")) return;
    const chain = mention && mention.dataset.c;
    const again = chain !== null && chain === pinned;
    if (mention && mention.matches("a")) {
      event.preventDefault();
      const found = doc.querySelectorAll(`.m[data-c="${chain}"]`);
      visited = again ? (visited + 1) % found.length : 0;
      found[visited].scrollIntoView({ block: "center", inline: "nearest" });
      pinned = chain;
    } else {
      pinned = again ? null : chain;
    }
    lightChain(pinned);
  });
  doc.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    pinned = null;
    lightChain(null);
  });
}
