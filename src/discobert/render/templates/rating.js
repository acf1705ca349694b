"use strict";
// Keeps the answers of a rater, shows one document at a time, and saves what was answered as a file.
const sheet = document.querySelector(".sheet");
const find = (selector) => sheet.querySelector(selector);
const items = [...sheet.querySelectorAll(".rate")];
const chips = [...sheet.querySelectorAll(".overview a")];
const told = find(".told");
const total = items.length;
const asks = items.map((item) => [...item.querySelectorAll(".ask")]);
const storeName = `discobert-ratings-${sheet.dataset.sheet}`;
const drawn = () => [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const blank = () => ({ rater: drawn(), name: "", answers: {} });
let state = blank();
let keeps = true;
let unsaved = false;
let current = 0;

const read = () => {
  try {
    return JSON.parse(localStorage.getItem(storeName));
  } catch {
    return null;
  }
};
const keep = () => {
  try {
    localStorage.setItem(storeName, JSON.stringify(state));
    keeps = true;
  } catch {
    keeps = false;
  }
};
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

// Answers are kept by the number of the document in the panel and by place. One card may stand for several places, if their
// summaries are the same.
const itemOf = (number) => items[number].dataset.item;
const places = (part) => part.dataset.place.split(" ");
const answersTo = (number, part) => {
  const [place] = places(part);
  return (state.answers[itemOf(number)] || {})[place] || {};
};
const answerTo = (number, ask) => {
  const value = answersTo(number, ask)[ask.dataset.question];
  return Number.isInteger(value) && ask.querySelector(`input[value="${value}"]`) ? value : null;
};
const record = (number, part, question, value) => {
  const document_ = (state.answers[itemOf(number)] ||= {});
  for (const place of places(part)) (document_[place] ||= {})[question] = value;
};
const answered = (number) => asks[number].filter((ask) => answerTo(number, ask) !== null).length;
const isDone = (number) => answered(number) === asks[number].length;
const unfinished = () => items.findIndex((_, number) => !isDone(number));

const tell = (message) => {
  if (told.textContent !== message) told.textContent = message; // the same words again would be read aloud again
};
const progress = () => {
  const done = items.filter((_, number) => isDone(number)).length;
  const kept = keeps ? "" : " · this browser keeps nothing: save before you leave";
  return `${done} of ${total} rated${kept}`;
};
const showRemark = (number, part) => {
  const { misleading_why: reason, faults } = answersTo(number, part);
  for (const field of part.querySelectorAll(".reason")) field.value = typeof reason === "string" ? reason : "";
  for (const box of part.querySelectorAll(".fault")) box.checked = Array.isArray(faults) && faults.includes(box.value);
};
const showState = (number) => {
  const [given, all] = [answered(number), asks[number].length];
  const [chip, note] = [chips[number], chips[number].querySelector(".state")];
  chip.classList.toggle("done", given === all);
  chip.classList.toggle("part", given > 0 && given < all);
  note.textContent = given === all ? ", rated" : given > 0 ? ", partly rated" : "";
  for (const ask of asks[number]) {
    const value = answerTo(number, ask);
    for (const input of ask.querySelectorAll("input")) input.checked = Number(input.value) === value;
  }
  for (const part of items[number].querySelectorAll(".remark")) showRemark(number, part);
};
const showSteps = () => {
  const rest = unfinished();
  const last = current === total - 1;
  find("progress").value = items.filter((_, number) => isDone(number)).length;
  find(".finish").hidden = rest !== -1;
  find(".back").disabled = current === 0;
  find(".next").textContent = !last ? "Next document" : rest === -1 ? "Save ratings" : "To the next unrated document";
  find(".next").disabled = last && rest === current;
};
const showAll = () => {
  items.forEach((_, number) => showState(number));
  find(".name").value = state.name;
  showSteps();
  tell(progress());
};
const show = (number) => {
  current = number;
  items.forEach((item, at) => { item.hidden = at !== number; });
  chips.forEach((chip, at) => {
    if (at === number) chip.setAttribute("aria-current", "true");
    else chip.removeAttribute("aria-current");
  });
  document.title = `Document ${number + 1} of ${total} · rating sheet`;
  showSteps();
};
const go = (number) => {
  show(number);
  const heading = items[number].querySelector("h2");
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: "start", behavior: "instant" });
};

const fileName = () => {
  const name = state.name.trim().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  return `ratings-${sheet.dataset.sheet}-${name || state.rater}.json`;
};
const saved = () => ({
  format: 1,
  kind: "discobert-ratings",
  sheet: sheet.dataset.sheet,
  key: sheet.dataset.key,
  rater: state.rater,
  name: state.name,
  saved: new Date().toISOString(),
  answers: state.answers,
});
const save = () => {
  const file = new Blob([`${JSON.stringify(saved(), null, 1)}\n`], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = fileName();
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  unsaved = false;
  tell(`${progress()} · saved as ${link.download}`);
};
const load = async (file) => {
  let found = null;
  try {
    found = JSON.parse(await file.text());
  } catch { /* told below */ }
  if (!isObject(found) || found.kind !== "discobert-ratings" || !isObject(found.answers)) {
    tell(`${file.name} holds no saved ratings`);
  } else if (found.sheet !== sheet.dataset.sheet) {
    tell(`${file.name} was saved from another sheet`);
  } else {
    state = { rater: String(found.rater || drawn()), name: String(found.name || ""), answers: found.answers };
    keep();
    showAll();
    go(Math.max(0, unfinished()));
    tell(`${progress()} · read from ${file.name}`);
  }
};

sheet.addEventListener("change", (event) => {
  const ask = event.target.closest(".ask");
  const remark = event.target.closest(".remark");
  if (ask) record(current, ask, ask.dataset.question, Number(event.target.value));
  else if (event.target.matches(".reason")) record(current, remark, "misleading_why", event.target.value);
  else if (event.target.matches(".fault")) record(current, remark, "faults", [...remark.querySelectorAll(":checked")].map((box) => box.value));
  else return;
  unsaved = true;
  keep();
  showState(current);
  showSteps();
  tell(progress());
});
// A digit answers the question that has the focus and leads to the next one.
sheet.addEventListener("keydown", (event) => {
  const ask = event.target.closest(".ask");
  if (!ask || event.ctrlKey || event.altKey || event.metaKey) return;
  const input = ask.querySelector(`input[value="${CSS.escape(event.key)}"]`);
  if (!input) return;
  event.preventDefault();
  input.click();
  const following = asks[current][asks[current].indexOf(ask) + 1];
  const target = following ? following.querySelector("input:checked") || following.querySelector("input") : find(".next");
  target.focus();
});
find(".name").addEventListener("input", (event) => {
  state.name = event.target.value;
  keep();
});
find(".load input").addEventListener("change", (event) => {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  const answers = Object.keys(state.answers).length > 0;
  if (!answers || confirm("Replace the answers on this page by those of the file?")) load(file);
});
find(".anew").addEventListener("click", () => {
  if (!confirm("Forget every answer on this page?")) return;
  state = blank();
  unsaved = false;
  keep();
  showAll();
  go(0);
});
for (const button of sheet.querySelectorAll(".save")) button.addEventListener("click", save);
find(".back").addEventListener("click", () => go(current - 1));
find(".next").addEventListener("click", () => {
  if (current < total - 1) go(current + 1);
  else if (unfinished() === -1) save();
  else go(unfinished());
});
chips.forEach((chip, number) => {
  chip.addEventListener("click", (event) => {
    event.preventDefault();
    go(number);
  });
});
addEventListener("beforeunload", (event) => {
  if (unsaved && !keeps) event.preventDefault();
});

// The article is open where it has a column of its own; who folds it, folds all.
const articles = items.map((item) => item.querySelector(".article"));
const wide = matchMedia("(min-width: 68rem)").matches;
for (const article of articles) {
  article.open = wide;
  article.querySelector("summary").addEventListener("click", () => {
    const open = !article.open;
    for (const other of articles) if (other !== article) other.open = open;
  });
}

document.documentElement.classList.add("live");
const before = read();
if (isObject(before) && isObject(before.answers)) {
  state = { rater: String(before.rater || drawn()), name: String(before.name || ""), answers: before.answers };
  if (Object.keys(state.answers).length) find(".how").open = false;
}
keep();
showAll();
show(Math.max(0, unfinished()));
