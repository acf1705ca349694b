// Notes on units, arrows between them, and what the source shows. The page says everything without it.
for (const doc of document.querySelectorAll(".summary")) {
  const source = doc.querySelector(".source");
  const units = [...source.querySelectorAll(".u")];
  const tip = source.querySelector(".tip");
  const lines = source.querySelector("svg g");
  const places = new Map(units.map((unit, index) => [unit, index]));
  const needs = units.map((unit) => (unit.dataset.needs || "").split(" ").filter(Boolean).map(Number));
  let active = null;

  // One stop of the tab key; arrow keys walk from unit to unit.
  for (const unit of units) {
    unit.dataset.told = unit.title;
    unit.removeAttribute("title");
    unit.tabIndex = -1;
  }
  const start = units.find((unit) => unit.matches(".in")) || units[0];
  let stop = start;
  stop.tabIndex = 0;

  const shown = (unit) => unit.getClientRects().length > 0;
  const place = (unit) => {
    const box = source.getBoundingClientRect();
    const rects = unit.getClientRects();
    const last = rects[rects.length - 1];
    const left = Math.max(0, Math.min(last.left - box.left, box.width - tip.offsetWidth));
    tip.style.left = `${left}px`;
    tip.style.top = `${last.bottom - box.top + 6}px`;
  };
  const ends = (index, box) => {
    const rect = units[index].getClientRects()[0];
    return rect && { x: rect.left - box.left + Math.min(16, rect.width / 2), y: rect.top - box.top + 2 };
  };
  const draw = () => {
    const all = doc.querySelector(".arrows").checked;
    const now = places.get(active);
    const box = source.getBoundingClientRect();
    const paths = [];
    units.forEach((_, dependent) => {
      for (const head of needs[dependent]) {
        if (!all && dependent !== now && head !== now) continue;
        const [from, to] = [ends(dependent, box), ends(head, box)];
        if (!from || !to) continue;
        const rise = 10 + Math.min(14, Math.abs(from.x - to.x) / 12);
        const path = document.createElementNS(lines.namespaceURI, "path");
        path.setAttribute("d", `M${from.x} ${from.y}C${from.x} ${from.y - rise} ${to.x} ${to.y - rise} ${to.x} ${to.y}`);
        path.setAttribute("marker-end", `url(#${doc.id}-tip-end)`);
        paths.push(path);
      }
    });
    lines.replaceChildren(...paths);
  };
  const tell = (unit) => {
    if (unit === active) return;
    if (active) active.removeAttribute("aria-describedby");
    active = unit;
    tip.hidden = unit === null;
    if (unit) {
      tip.replaceChildren(...unit.dataset.told.split("\n").map((line) => {
        const shown = document.createElement("p");
        shown.textContent = line;
        return shown;
      }));
      unit.setAttribute("aria-describedby", tip.id);
      place(unit);
    }
    draw();
  };
  const unitAt = (target) => (target instanceof Element && source.contains(target) ? target.closest(".u") : null);
  const focused = () => unitAt(document.activeElement);
  source.addEventListener("mouseover", (event) => tell(unitAt(event.target) || focused()));
  source.addEventListener("mouseleave", () => tell(focused()));
  source.addEventListener("focusin", (event) => {
    const unit = unitAt(event.target);
    if (!unit) return;
    stop.tabIndex = -1;
    stop = unit;
    stop.tabIndex = 0;
    tell(unit);
  });
  source.addEventListener("focusout", () => tell(null));
  source.addEventListener("keydown", (event) => {
    const at = places.get(unitAt(event.target));
    if (at === undefined) return;
    const seen = units.filter(shown);
    const here = seen.indexOf(units[at]);
    const to = { ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1, Home: 0, End: seen.length - 1 }[event.key];
    if (event.key === "Escape") tell(null);
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (seen[to]) seen[to].focus();
  });

  for (const box of doc.querySelectorAll(".tools input")) box.addEventListener("change", draw);
  addEventListener("resize", draw);

  // Lines of the summary and their sentences light up together; a link leads there without a script, too.
  const links = [...doc.querySelectorAll(".digest ol a")];
  const unitOf = new Map(links.map((link) => [link, document.getElementById(link.hash.slice(1))]));
  const light = (sentence) => {
    for (const link of links) {
      const own = unitOf.get(link).closest(".sentence");
      link.classList.toggle("here", own === sentence);
      own.classList.toggle("here", own === sentence);
    }
  };
  const sentenceAt = (target) => (target instanceof Element ? target.closest(".sentence") : null);
  for (const link of links) {
    const sentence = unitOf.get(link).closest(".sentence");
    for (const type of ["mouseenter", "focus"]) link.addEventListener(type, () => light(sentence));
    for (const type of ["mouseleave", "blur"]) link.addEventListener(type, () => light(null));
  }
  source.addEventListener("mouseover", (event) => light(sentenceAt(event.target)));
  source.addEventListener("mouseleave", () => light(null));
  source.addEventListener("focusin", (event) => light(sentenceAt(event.target)));

  // Say which two units a cell of a graph joins.
  for (const image of doc.querySelectorAll(".graphs img")) {
    const caption = image.parentNode.querySelector("figcaption");
    const title = caption.textContent;
    const count = Number(image.dataset.n);
    image.addEventListener("mousemove", (event) => {
      const box = image.getBoundingClientRect();
      const cell = (part) => Math.min(count - 1, Math.max(0, Math.floor(part * count)));
      const [row, column] = [cell((event.clientY - box.top) / box.height), cell((event.clientX - box.left) / box.width)];
      caption.textContent = `Row: EDU ${row}, column: EDU ${column}`;
    });
    image.addEventListener("mouseleave", () => { caption.textContent = title; });
  }
}
