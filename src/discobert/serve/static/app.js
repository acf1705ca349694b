// The page of the service: put a text in, move the slider, see what was kept and why.
import { EXAMPLES } from "./examples.js";
import { drawGraph, drawTree, markRows } from "./pictures.js";
import { Source, chains, make, sentence, writeChains } from "./reading.js";
import { Refused, extract, info, isAlive, summarize, useToken } from "./service.js";

const $ = (id) => document.getElementById(id);
const MOST_WORDS = 400;
const USUAL_WORDS = 80;
const PATIENCE_MS = 600;
const MOST_NAME = 200;
const MOST_RETRIES = 20;

const state = { text: "", name: "text", title: null, notes: [], analysis: null, answer: null, limit: null };
let running = null;
let moving = null;
let waiting = null;
let retries = 0;
let drawn = new Set();

const RESULT = "#summary";
const countWords = (text) => (text.match(/\S+/g) || []).length;
const source = new Source($("source-text"), $("tip"), (found) => lightLine(found));

// ---- States -----------------------------------------------------------------------------------

function clearState() {
  clearTimeout(waiting);
  waiting = null;
  for (const id of ["state", "compose-state"]) {
    $(id).hidden = true;
    $(id).replaceChildren();
  }
}

function stateBox() {
  return $("result").hidden ? $("compose-state") : $("state");
}

function showState(lines, actions = [], { calm = false } = {}) {
  const box = stateBox();
  const buttons = actions.map(([name, act]) => {
    const button = make("button", { type: "button", class: "button" }, name);
    button.addEventListener("click", act);
    return button;
  });
  box.className = `state${calm ? " calm" : ""}`;
  box.replaceChildren(...lines.map((line) => make("p", {}, line)), ...(buttons.length ? [make("div", { class: "do" }, ...buttons)] : []));
  box.hidden = false;
  return box;
}

function showRefusal(refused, again) {
  clearState();
  if (refused.status === 401) askToken(again);
  else if (refused.code === "gone") waitForService(again);
  else if (refused.retryAfter !== null && retries < MOST_RETRIES) countDown(refused, again);
  else {
    const lines = { 413: "This text is too long for the service.", 400: "This text cannot be summarised.", 415: "This kind of file cannot be read here.", 500: "The service has failed on this text." };
    showState([lines[refused.status] || "The service has refused the request.", sentence(refused.message || "no reason was given")], refused.status >= 500 ? [["Try again", again]] : []);
  }
}

function countDown(refused, again) {
  let seconds = Math.max(1, Math.ceil(refused.retryAfter));
  retries += 1;
  const title = { busy: "The service is busy.", "not-ready": "The service is starting.", draining: "The service is shutting down." }[refused.code] || "The service asks to wait.";
  const box = showState([title, ""], [["Try now", again]], { calm: true });
  box.children[1].ariaHidden = "true"; // not to be read out every second
  const tick = () => {
    box.children[1].textContent = `Trying again in ${seconds} s.`;
    if (seconds-- === 0) again();
    else waiting = setTimeout(tick, 1000);
  };
  tick();
}

function waitForService(again) {
  showState(["The service does not answer.", "Your text is still here. The page goes on as soon as the service is back."], [["Try now", again]]);
  const look = async () => {
    const own = waiting;
    if (await isAlive()) {
      if (waiting === own) again();
    } else if (waiting === own) waiting = setTimeout(look, 2000);
  };
  waiting = setTimeout(look, 2000);
}

function askToken(again) {
  const box = showState(["This service needs a token.", "It is kept until this tab is closed."]);
  const input = make("input", { type: "password", "aria-label": "Token", autocomplete: "off" });
  const form = make("form", { class: "do" }, input, make("button", { class: "primary" }, "Use token"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    useToken(input.value);
    again();
    learnLimits();
  });
  box.append(form);
  input.focus();
}

// ---- Requests: the newest answer wins --------------------------------------------------------

function start() {
  if (running) running.abort();
  moving = null;
  running = new AbortController();
  clearState();
  return running;
}

function setBusy(busy) {
  $("digest").setAttribute("aria-busy", String(busy));
  $("digest").classList.toggle("first", busy && state.answer === null);
  $("go").disabled = busy;
  $("go").textContent = busy && $("result").hidden ? "Reading…" : "Summarise";
}

function cancel() {
  start();
  setBusy(false);
}

async function run(work, again) {
  const own = start();
  setBusy(true);
  const reading = setTimeout(() => showState(["Reading…"], [["Cancel", cancel]], { calm: true }), PATIENCE_MS);
  try {
    const result = await work(own.signal);
    if (own !== running) return clearTimeout(reading);
    retries = 0;
    clearTimeout(reading);
    clearState();
    setBusy(false);
    result();
  } catch (error) {
    clearTimeout(reading);
    if (error.name === "AbortError" || own !== running) return;
    moving = null;
    setBusy(false);
    if (!(error instanceof Refused)) throw error;
    showRefusal(error, again);
  }
}

function request() {
  const style = document.querySelector("[name=style]:checked").value;
  return { text: state.text, name: state.name, words: Number($("words").value), style };
}

// Measures from the moment at which the user asked to the answer on the page.
function refresh(asked = performance.now()) {
  const include = state.analysis ? [] : ["analysis"];
  run(async (signal) => {
    const answer = await summarize({ ...request(), include }, signal);
    return () => {
      show(answer);
      performance.measure("discobert-answer", { start: asked, end: performance.now() });
      goOn();
    };
  }, () => refresh());
}

// One request at a time while the slider moves: its answer is shown, then the newest length is asked for.
function follow(asked) {
  if (moving) moving.next = asked;
  else {
    refresh(asked);
    moving = { next: null };
  }
}

function goOn() {
  const next = moving?.next;
  moving = null;
  if (next) follow(next);
}

function summarizeText(text, { name = "text", notes = [], title = null } = {}) {
  if (!/[\p{L}\p{N}]/u.test(text)) {
    clearState();
    turnPage(false);
    showState(["There is no text yet.", "Paste one, drop a file, or try an example."], [], { calm: true });
    $("text").focus();
    return;
  }
  const valid = text.toWellFormed?.() ?? text; // half a surrogate pair is no character
  Object.assign(state, { text: valid, name: name.slice(-MOST_NAME), notes, title, analysis: null, answer: null });
  setLength(countWords(text));
  refresh();
}

function openFile(file) {
  if (!file) return;
  run(async (signal) => {
    const found = await extract(file, signal);
    return () => {
      $("text").value = found.text;
      count();
      summarizeText(found.text, { name: file.name, notes: found.warnings || [] });
    };
  }, () => openFile(file));
}

async function learnLimits() {
  try {
    state.limit = (await info()).limits.chars;
  } catch {
    state.limit = null;
  }
  count();
}

// ---- Showing an answer -----------------------------------------------------------------------

function show(answer) {
  const isNew = state.analysis === null;
  if (answer.analysis) {
    state.analysis = { headings: [], paragraphs: [0], ...answer.analysis };
    delete answer.analysis;
  }
  state.answer = answer;
  if (isNew || source.pieces.length !== answer.units.length) source.build(answer.units, state.analysis);
  source.update(answer);
  showFacts(answer);
  showLines(answer);
  showNotes(answer);
  const kinds = new Set(source.pieces.map((piece) => piece.classList.contains("need") ? "need" : piece.classList.contains("cut") ? "cut" : piece.classList.contains("in") ? "in" : "left"));
  for (const key of document.querySelectorAll("[data-key]")) key.hidden = !kinds.has(key.dataset.key);
  if (isNew) {
    drawn = new Set();
    if (location.hash !== RESULT) history.pushState(null, "", RESULT);
    turnPage(true);
    select($("tab-source"));
    scrollTo(0, 0);
    $("result-title").focus();
  }
  drawPanel();
  $("told").textContent = `Summary of ${answer.words} words, ${answer.sentences.length} lines.`;
}

// The way back in the browser's history leads to the text field.
function turnPage(toResult) {
  $("compose").hidden = toResult;
  $("result").hidden = !toResult;
  if (!toResult) document.title = "discobert";
}

function showFacts(answer) {
  const total = countWords(state.text);
  const touched = new Set(answer.units.filter((unit) => unit.selected).map((unit) => unit.sentence)).size;
  const title = state.title || state.analysis.title || state.name;
  $("result-title").textContent = title;
  document.title = `${title} · discobert`;
  const facts = [`${answer.words} of ${total} words (${Math.round((100 * answer.words) / total)} %), from ${touched} of ${state.analysis.sentences.length} sentences`];
  if (state.name !== "text") facts.push(state.name);
  $("facts").textContent = [...facts, `${answer.model.name} ${answer.model.version}`].join(" · ");
}

function showLines(answer) {
  const first = new Map();
  for (const unit of answer.units) if (unit.selected && !first.has(unit.sentence)) first.set(unit.sentence, unit.index);
  const places = [...first].sort((a, b) => a[0] - b[0]);
  const linked = places.length === answer.sentences.length;
  $("lines").replaceChildren(...answer.sentences.map((line, index) => {
    if (!linked) return make("li", { dir: "auto" }, line);
    const [number, unit] = places[index];
    const cite = make("span", { class: "cite" }, make("span", { class: "vh" }, "(source: sentence "), String(number + 1), make("span", { class: "vh" }, ")"));
    return make("li", { dir: "auto" }, make("a", { href: `#u${unit}`, "data-unit": String(unit) }, `${line} `, cite));
  }));
  $("why").textContent = answer.end ? sentence(answer.end.message) : "";
}

function showNotes(answer) {
  const notes = [...state.notes, ...answer.warnings];
  const items = notes.map(({ code, message, unit }) => {
    const item = make("li", {}, make("b", {}, code), `: ${message} `);
    if (Number.isInteger(unit) && source.pieces[unit]) item.append(make("a", { href: `#u${unit}`, "data-unit": String(unit) }, `piece ${unit}`));
    return item;
  });
  for (const change of answer.replacements || []) items.push(make("li", {}, make("b", {}, "not verbatim"), `: “${change.by}” stands for “${change.text}”`));
  $("warnings").replaceChildren(...items);
  $("warnings").hidden = items.length === 0;
}

function lightLine(found) {
  for (const link of $("lines").querySelectorAll("a")) {
    const own = source.pieces[link.dataset.unit].closest(".sentence");
    link.classList.toggle("here", own === found);
    own.classList.toggle("here", own === found);
  }
}

function jump(event) {
  const link = event.target.closest("a[data-unit]");
  if (!link) return;
  event.preventDefault();
  select($("tab-source"));
  source.jump(Number(link.dataset.unit));
}

// ---- Tabs --------------------------------------------------------------------------------------

const tabs = [...document.querySelectorAll("[role=tab]")];

function select(tab) {
  for (const each of tabs) {
    const on = each === tab;
    each.setAttribute("aria-selected", String(on));
    each.tabIndex = on ? 0 : -1;
    $(each.getAttribute("aria-controls")).hidden = !on;
  }
  if (tab.id !== "tab-source") source.tell(null);
  if (state.analysis) drawPanel();
}

function chosenStarts() {
  const ranges = state.answer.units.filter((unit) => unit.selected).map((unit) => [unit.start, unit.end]);
  return (start) => ranges.some(([from, to]) => from <= start && start < to);
}

function drawPanel() {
  const name = tabs.find((tab) => tab.getAttribute("aria-selected") === "true").id.slice(4);
  const fresh = !drawn.has(name);
  drawn.add(name);
  if (name === "tree") {
    if (fresh) drawTree($("tree"), state.analysis);
    markRows($("tree"), chosenStarts());
  } else if (name === "chains" && fresh) drawChains();
  else if (name === "graphs") drawGraphs();
}

function drawGraphs() {
  const { edus, graphs } = state.analysis;
  const chosen = chosenStarts();
  const isShown = edus.map((edu) => chosen(edu.start));
  const shown = (edu) => isShown[edu];
  const mutual = [...edus.map((_, edu) => [edu, edu]), ...graphs.coref.flatMap(([a, b]) => [[a, b], [b, a]])];
  drawGraph($("graph-rst"), edus.length, graphs.rst, shown, "RST graph");
  drawGraph($("graph-coref"), edus.length, mutual, shown, "Coreference graph");
}

function drawChains() {
  const found = chains(state.analysis);
  const text = $("chains-text");
  writeChains(text, state.analysis, found);
  $("chains-note").textContent = found.length ? "Expressions that name the same thing share a number. Choose a chain to follow it through the text." : "No two expressions of this text seem to name the same thing.";
  $("chains").replaceChildren(...found.map((chain) => {
    const button = make("button", { type: "button", class: `s${chain.shade}`, "data-c": String(chain.number), "aria-pressed": "false", dir: "auto" }, `${chain.number} ${chain.name} `, make("span", {}, `×${chain.spans.length}`));
    return make("li", {}, button);
  }));
}

let visited = 0;

function lightChain(number, { scroll }) {
  const text = $("chains-text");
  const button = $("chains").querySelector(`[data-c="${number}"]`);
  const again = button.getAttribute("aria-pressed") === "true";
  const mentions = [...text.querySelectorAll(`.m[data-c="${number}"]`)];
  visited = again ? visited + 1 : 0;
  const off = again && (!scroll || visited >= mentions.length);
  for (const each of $("chains").querySelectorAll("button")) each.setAttribute("aria-pressed", String(each === button && !off));
  for (const mention of text.querySelectorAll(".m.on")) mention.classList.remove("on");
  text.classList.toggle("lit", !off);
  if (off) return;
  for (const mention of mentions) mention.classList.add("on");
  if (scroll) mentions[visited].scrollIntoView({ block: "nearest" });
}

// ---- Copy and download -----------------------------------------------------------------------

async function copy() {
  const { text } = state.answer;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { class: "vh", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  $("copy").textContent = "Copied";
  $("told").textContent = "The summary was copied.";
  setTimeout(() => { $("copy").textContent = "Copy"; }, 1500);
}

function save(content, type, suffix) {
  const stem = state.name.replace(/\.\w{1,8}$/, "").replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+/, "").slice(0, 80) || "text";
  const url = URL.createObjectURL(new Blob([content], { type }));
  make("a", { href: url, download: `${stem}-summary.${suffix}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function download(form) {
  if (form === "json") {
    save(`${JSON.stringify(state.answer, null, 2)}\n`, "application/json", "json");
    return;
  }
  const [type, suffix] = { html: ["text/html", "html"], markdown: ["text/markdown", "md"] }[form];
  run(async (signal) => {
    const answer = await summarize({ ...request(), include: [form] }, signal);
    return () => save(answer[form], type, suffix);
  }, () => download(form));
}

// ---- Controls ----------------------------------------------------------------------------------

function setLength(total) {
  const most = Math.max(10, Math.min(MOST_WORDS, Math.ceil(total / 5) * 5));
  Object.assign($("words"), { min: Math.min(10, most), max: most, disabled: most <= 10 });
  $("words").value = Math.min(USUAL_WORDS, most);
  tellLength();
}

function tellLength() {
  const words = Number($("words").value);
  $("words-told").textContent = `up to ${words} words`;
  $("words").setAttribute("aria-valuetext", `${words} words`);
}

function count() {
  const text = $("text").value;
  const n = countWords(text);
  const over = state.limit !== null && text.length > state.limit;
  $("count").classList.toggle("over", over);
  const long = over ? `${text.length.toLocaleString("en")} characters; the service takes ${state.limit.toLocaleString("en")}` : "";
  $("count").textContent = long || (n ? `${n.toLocaleString("en")} word${n === 1 ? "" : "s"}` : "");
}

$("words").addEventListener("input", (event) => {
  tellLength();
  follow(event.timeStamp);
});
for (const radio of document.querySelectorAll("[name=style]")) radio.addEventListener("change", () => refresh());
$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  summarizeText($("text").value);
});
$("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) $("form").requestSubmit();
});
$("text").addEventListener("input", () => {
  count();
  clearState();
});
$("file").addEventListener("change", () => {
  openFile($("file").files[0]);
  $("file").value = "";
});
$("again").addEventListener("click", () => {
  cancel();
  turnPage(false);
  history.replaceState(null, "", location.pathname);
  $("text").focus();
  $("text").select();
});
for (const list of [$("lines"), $("warnings")]) list.addEventListener("click", jump);
for (const type of ["mouseover", "focusin"]) {
  $("lines").addEventListener(type, (event) => {
    const link = event.target.closest("a[data-unit]");
    if (link) lightLine(source.pieces[link.dataset.unit].closest(".sentence"));
  });
}
for (const type of ["mouseleave", "focusout"]) $("lines").addEventListener(type, () => lightLine(null));
$("copy").addEventListener("click", copy);
for (const button of document.querySelectorAll("[data-save]")) button.addEventListener("click", () => download(button.dataset.save));
for (const [index, tab] of tabs.entries()) {
  tab.addEventListener("click", () => select(tab));
  tab.addEventListener("keydown", (event) => {
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    select(next);
    next.focus();
  });
}
$("chains").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) lightChain(button.dataset.c, { scroll: true });
});
$("chains-text").addEventListener("click", (event) => {
  const mention = event.target.closest(".m");
  if (mention) lightChain(mention.dataset.c, { scroll: false });
});

// Files may be dropped anywhere; text that is dragged ends up in the text field by itself.
const holdsFile = (event) => [...(event.dataTransfer?.types || [])].includes("Files");
addEventListener("dragover", (event) => {
  if (!holdsFile(event)) return;
  event.preventDefault();
  $("drop").hidden = false;
});
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) $("drop").hidden = true;
});
addEventListener("drop", (event) => {
  $("drop").hidden = true;
  if (!holdsFile(event)) return;
  event.preventDefault();
  openFile(event.dataTransfer.files[0]);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => state.analysis && drawPanel());

$("examples").append(...EXAMPLES.map(({ title, kind, text }) => {
  const button = make("button", { type: "button" }, make("b", {}, title), make("span", {}, `${kind}, ${countWords(text)} words`));
  button.addEventListener("click", () => {
    $("text").value = text;
    count();
    summarizeText(text, { title });
  });
  return make("li", {}, button);
}));
addEventListener("popstate", () => {
  cancel();
  turnPage(location.hash === RESULT && state.answer !== null);
});
if (location.hash) history.replaceState(null, "", location.pathname);
document.documentElement.classList.add("live");
learnLimits();
