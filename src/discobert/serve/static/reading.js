// The source with what was chosen and left, notes on pieces, and the chains of coreference.

const CHOSEN = {
  score: "Chosen for its score.",
  lead: "Chosen as part of the first sentence.",
};
const LEFT = {
  score: "Left out: every unit chosen for its score has a higher one.",
  length: "Left out: with it the summary would be too long.",
  repeats: "Left out: it repeats what the summary tells.",
  quotation: "Left out: it is a quotation.",
  "needs quotation": "Left out: it cannot stand without a quotation.",
  heading: "Left out: it is a heading.",
  caption: "Left out: it is a caption.",
  table: "Left out: it is part of a table.",
  code: "Left out: it is code.",
  attribution: "Left out: it introduces the text of another mail.",
  greeting: "Left out: it is a greeting.",
  signature: "Left out: it is a signature.",
  "quoted mail": "Left out: the mail quotes it from another one.",
  method: "Left out: other units together make the better summary.",
  cut: "Left out of its sentence: a cut that does no harm.",
  furniture: "Left out: it is a heading, caption, notice or filler.",
  reference: "Left out: it refers to something that the summary does not show.",
  end: "Left out: it is not worth its words, so the summary ends without it.",
  "": "Left out.",
};

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Offsets of the service count code points, those of JavaScript UTF-16 units.
export function slicer(text) {
  if (!/[\ud800-\udfff]/.test(text)) return (start, end) => text.slice(start, end);
  const points = Array.from(text);
  return (start, end) => points.slice(start, end).join("");
}

// Calls write(tag, sentences) for every paragraph; sentences are ranges [first, after] of units.
function paragraphs(units, analysis) {
  const sentences = [];
  units.forEach((unit, index) => {
    if (unit.sentence === sentences.length) sentences.push([index, index + 1]);
    else sentences.at(-1)[1] = index + 1;
  });
  const headings = new Set(analysis.headings);
  const starts = [...analysis.paragraphs, sentences.length];
  return analysis.paragraphs.map((first, index) => ({
    tag: headings.has(index) ? "h3" : "p",
    sentences: sentences.slice(first, starts[index + 1]),
  }));
}

export class Source {
  constructor(root, tip, onSentence) {
    Object.assign(this, { root, tip, onSentence, pieces: [], active: null, stop: null, answer: null });
    const at = (target) => (target instanceof Element && root.contains(target) ? target.closest(".u") : null);
    root.addEventListener("mouseover", (event) => this.tell(at(event.target) || at(document.activeElement)));
    root.addEventListener("mouseleave", () => this.tell(at(document.activeElement)));
    root.addEventListener("focusin", (event) => this.enter(at(event.target)));
    root.addEventListener("focusout", () => this.tell(null));
    root.addEventListener("keydown", (event) => this.walk(event, at(event.target)));
  }

  build(units, analysis) {
    this.pieces = units.map((unit, index) => make("span", { id: `u${index}`, class: "u", tabindex: "-1" }, unit.text));
    this.analysis = analysis;
    const blocks = paragraphs(units, analysis).map(({ tag, sentences }) => {
      const block = make(tag, { dir: "auto" });
      let end = null;
      for (const [first, after] of sentences) {
        if (end !== null && end < units[first].start) block.append(" ");
        const sentence = make("span", { class: "sentence" });
        for (let index = first; index < after; index++) {
          if (index > first && units[index - 1].end < units[index].start) sentence.append(" ");
          sentence.append(this.pieces[index]);
        }
        end = units[after - 1].end;
        block.append(sentence);
      }
      return block;
    });
    this.root.replaceChildren(...blocks);
    this.stop = null;
    this.judged = new Map();
    for (const cut of analysis.cuts || []) {
      for (const edu of cut.edus) this.judged.set(edu, Math.max(cut.harmless, this.judged.get(edu) || 0));
    }
  }

  update(answer) {
    this.answer = answer;
    this.cut = new Map((answer.cuts || []).flatMap((cut) => cut.edus.map((edu) => [edu, cut.harmless])));
    const order = answer.units.map((_, index) => index).sort((a, b) => answer.units[b].score - answer.units[a].score || a - b);
    this.ranks = [];
    order.forEach((unit, rank) => { this.ranks[unit] = rank + 1; });
    this.last = answer.units.findLastIndex((unit) => unit.selected);
    answer.units.forEach((unit, index) => { this.pieces[index].className = this.kind(unit); });
    const first = this.pieces[Math.max(0, answer.units.findIndex((unit) => unit.selected))];
    if (!this.stop) this.enterable(first);
    const shown = this.active;
    this.active = null;
    this.tell(shown);
  }

  kind(unit) {
    if (unit.selected) return unit.reason === "score" ? "u in" : "u in need";
    return unit.left_out === "cut" || this.cut.has(unit.index) ? "u cut" : "u";
  }

  lines(index) {
    const unit = this.answer.units[index];
    const percent = (share) => `${Math.round(100 * share)} %`;
    const chosen = CHOSEN[unit.reason] || `Chosen because it is ${unit.reason}.`;
    const told = [unit.selected ? chosen : LEFT[unit.left_out] || LEFT[""]];
    told.push(`Score ${unit.score.toFixed(2)}, rank ${this.ranks[index]} of ${this.ranks.length}.`);
    if (this.cut.has(index)) told.push(`${percent(this.cut.get(index))} sure that leaving it out does no harm.`);
    else if (unit.selected && this.judged.has(index) && this.isWhole) told.push(`${percent(this.judged.get(index))} sure that a cut here would do no harm.`);
    if (unit.depends_on.length) told.push(`Needs ${unit.depends_on.join(", ")}.`);
    if (index === this.last && this.answer.end) told.push(sentence(this.answer.end.message));
    told.push(`Piece ${index}, sentence ${unit.sentence + 1}`);
    return told;
  }

  // Whether units are EDUs, which cuts are counted in.
  get isWhole() {
    return this.analysis.edus.length === this.pieces.length;
  }

  tell(piece) {
    if (piece === this.active) return;
    if (this.active) this.active.removeAttribute("aria-describedby");
    this.active = piece;
    this.tip.hidden = piece === null;
    this.onSentence(piece && piece.closest(".sentence"));
    if (!piece) return;
    this.tip.replaceChildren(...this.lines(this.pieces.indexOf(piece)).map((line) => make("p", {}, line)));
    piece.setAttribute("aria-describedby", this.tip.id);
    const box = this.root.parentNode.getBoundingClientRect();
    const last = [...piece.getClientRects()].at(-1);
    if (!last) return;
    const left = Math.max(0, Math.min(last.left - box.left, box.width - this.tip.offsetWidth));
    this.tip.style.left = `${left}px`;
    this.tip.style.top = `${last.bottom - box.top + 6}px`;
  }

  enterable(piece) {
    if (this.stop) this.stop.tabIndex = -1;
    this.stop = piece;
    this.stop.tabIndex = 0;
  }

  enter(piece) {
    if (!piece) return;
    this.enterable(piece);
    this.tell(piece);
  }

  walk(event, piece) {
    if (!piece || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") this.tell(null);
    const here = this.pieces.indexOf(piece);
    const to = { ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1, Home: 0, End: this.pieces.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (this.pieces[to]) this.pieces[to].focus();
  }

  jump(index) {
    const piece = this.pieces[index];
    piece.focus({ preventScroll: true });
    piece.scrollIntoView({ block: "center" });
    this.tell(piece);
  }
}

export function sentence(words) {
  return `${words[0].toUpperCase()}${words.slice(1)}.`;
}

const SHADES = 4;
const MAX_NAME = 36;

export function chains(analysis) {
  const slice = slicer(analysis.text);
  return analysis.clusters.filter((spans) => spans.length > 1)
    .sort((a, b) => a[0][0] - b[0][0] || a[0][1] - b[0][1])
    .map((spans, index) => {
      const mentions = spans.map(([start, end]) => slice(start, end).split(/\s+/).join(" "));
      const short = mentions.filter((mention) => mention.length < MAX_NAME);
      const name = short.length ? short.reduce((a, b) => (b.length > a.length ? b : a)) : `${mentions[0].slice(0, MAX_NAME - 1)}…`;
      return { number: index + 1, shade: index % SHADES, name, spans };
    });
}

// Writes the text with every mention of a chain marked; inner mentions end where outer ones end.
export function writeChains(root, analysis, found) {
  const slice = slicer(analysis.text);
  const mentions = found.flatMap((chain) => chain.spans.map(([start, end]) => ({ start, end, chain })))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const headings = new Set(analysis.headings);
  const starts = [...analysis.paragraphs, analysis.sentences.length];
  let next = 0;
  const blocks = analysis.paragraphs.map((first, index) => {
    const [from, to] = [analysis.sentences[first][0], analysis.sentences[starts[index + 1] - 1][1]];
    const block = make(headings.has(index) ? "h3" : "p", { dir: "auto" });
    const open = [{ element: block, end: to }];
    let at = from;
    const write = (until) => {
      if (at < until) open.at(-1).element.append(slice(at, until).replace(/\s+/g, " "));
      at = Math.max(at, until);
    };
    const close = (until) => {
      while (open.length > 1 && open.at(-1).end <= until) {
        write(open.at(-1).end);
        open.pop();
      }
    };
    while (next < mentions.length && mentions[next].start < to) {
      const { start, end, chain } = mentions[next++];
      close(start);
      write(start);
      const element = make("span", { class: `m s${chain.shade}`, "data-c": String(chain.number) });
      open.at(-1).element.append(element);
      open.push({ element, end: Math.min(end, open.at(-1).end) });
    }
    close(to);
    write(to);
    return block;
  });
  root.replaceChildren(...blocks);
}
