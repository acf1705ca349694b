// The RST tree as brackets beside the clauses, and the two graphs as matrices of cells.
import { make, slicer } from "./reading.js";

const MOST_ROWS = 4000;
const MAX_CELLS = 256;

// Nuclei of one relation become siblings; children of a group are in reading order.
export function groupNuclei(tree) {
  const groups = [];
  const done = [];
  const todo = [[tree, false]];
  while (todo.length) {
    const [node, childrenDone] = todo.pop();
    if ("edu" in node) {
      done.push({ start: node.edu, end: node.edu + 1, head: node.edu, level: 0, group: null, nucleus: true });
    } else if (!childrenDone) {
      todo.push([node, true], [node.right, false], [node.left, false]);
    } else {
      const right = done.pop();
      done.push(join(groups, node, done.pop(), right));
    }
  }
  for (const group of groups) group.children.reverse();
  return { groups, root: done[0] };
}

function join(groups, { relation, nuclearity }, left, right) {
  const other = right.group === null ? null : groups[right.group];
  const continues = other && nuclearity === "NN" && other.nuclearity === "NN" && other.relation === relation;
  const index = continues ? right.group : groups.length;
  if (!continues) groups.push({ relation, nuclearity, children: [{ ...right, nucleus: nuclearity !== "NS" }] });
  groups[index].children.push({ ...left, nucleus: nuclearity !== "SN" });
  const level = continues ? Math.max(1 + left.level, right.level) : 1 + Math.max(left.level, right.level);
  const head = nuclearity === "SN" ? right.head : left.head;
  return { start: left.start, end: right.end, head, level, group: index, nucleus: true };
}

// A bracket for every clause but the most central one, and the level that its stem reaches.
export function layOut({ groups, root }) {
  const brackets = new Array(root.end).fill(null);
  const stems = new Array(root.end).fill(0);
  for (const { relation, nuclearity, children } of groups) {
    const level = 1 + Math.max(...children.map((child) => child.level));
    const centre = nuclearity === "SN" ? children.at(-1) : children[0];
    stems[centre.head] = level;
    const pairs = nuclearity === "NN" ? children.slice(1).map((child, index) => [child, children[index], index + 2 < children.length])
      : [[children.find((child) => !child.nucleus), centre, false]];
    for (const [child, sibling, more] of pairs) brackets[child.head] = { child, sibling, relation, level, more };
  }
  return { brackets, stems, levels: root.level };
}

function distance(levels, level) {
  const step = Math.min(20, Math.max(6, 340 / Math.max(1, levels)));
  const near = Math.min(level, 40);
  return near * step + (level - near) * Math.min(step, 160 / Math.max(1, levels - 40));
}

function line(kind, row, near, far, child) {
  const element = make("i", { class: `line ${kind}`, "aria-hidden": "true" });
  element.style.gridRow = row;
  element.style.setProperty("--a", near);
  element.style.setProperty("--b", far);
  if (child !== undefined) element.dataset.l = child;
  return element;
}

function numbers({ start, end, group }) {
  return group === null ? `${start}` : `${start}–${end - 1}`;
}

function label(bracket) {
  if (!bracket) return make("span", { class: "rel" }, make("abbr", { title: "nucleus" }, "N"), make("em", {}, "root"));
  const { child, sibling, relation } = bracket;
  const role = child.nucleus ? "n" : "s";
  const kind = child.nucleus ? "nucleus" : "satellite";
  const title = `${relation}: ${numbers(child)}, ${kind}, ${child.nucleus ? "with" : "of"} ${numbers(sibling)}`;
  const link = make("span", { class: "mute" }, ` ${child.nucleus ? "+" : "→"}${sibling.head}`);
  return make("span", { class: `rel ${role}`, title, "data-part": `${child.start} ${child.end}`, "data-other": `${sibling.start} ${sibling.end}`, "data-line": String(child.head) },
    make("abbr", { title: kind }, role.toUpperCase()), make("em", {}, relation), link);
}

export function drawTree(root, analysis) {
  const { edus } = analysis;
  if (edus.length > MOST_ROWS) {
    root.replaceChildren(make("p", { class: "note" }, `The tree of ${edus.length} clauses is too large for this page; the download as JSON has it.`));
    return;
  }
  const slice = slicer(analysis.text);
  const { brackets, stems, levels } = layOut(groupNuclei(analysis.tree));
  const headings = new Set(analysis.headings.map((index) => analysis.paragraphs[index]));
  const paragraphs = new Set(analysis.paragraphs);
  const parts = [];
  edus.forEach((edu, index) => {
    const bracket = brackets[index];
    const far = (level) => distance(levels, level);
    if (stems[index]) parts.push(line("stem", `${index + 1}`, 0, far(stems[index])));
    if (bracket) {
      const { child, sibling, level, more } = bracket;
      const [upper, lower] = [Math.min(child.head, sibling.head), Math.max(child.head, sibling.head)];
      const kind = `${child.nucleus ? "n" : "s"} ${sibling.head < child.head ? "down" : "up"}`;
      parts.push(line(kind, `${upper + 1} / ${lower + 1}`, far(child.level), far(level), index));
      parts.push(line(`end ${kind}${more ? " more" : ""}`, `${lower + 1}`, far(child.level), far(level), index));
    }
    const next = edus[index + 1];
    const ends = next && next.sentence !== edu.sentence ? ` sentence${paragraphs.has(next.sentence) ? " paragraph" : ""}` : "";
    const row = make("div", { class: `edu${ends}${headings.has(edu.sentence) ? " head" : ""}`, role: "listitem" }, label(bracket),
      make("span", { class: "number" }, String(index)), make("span", { class: "bare" }, edu.has_subject ? "" : "∅"),
      make("span", { class: "text", dir: "auto" }, slice(edu.start, edu.end)));
    row.style.gridRow = String(index + 1);
    row.dataset.start = edu.start;
    parts.push(row);
  });
  root.style.setProperty("--width", distance(levels, levels));
  root.replaceChildren(...parts);
  followLabels(root);
}

// Point at a label to see what it joins.
function followLabels(root) {
  const rows = [...root.querySelectorAll(".edu")];
  root.onmouseover = (event) => {
    const found = event.target.closest("[data-part]");
    for (const element of root.querySelectorAll(".part, .other, .hot")) element.classList.remove("part", "other", "hot");
    if (!found) return;
    for (const name of ["part", "other"]) {
      const [start, end] = found.dataset[name].split(" ").map(Number);
      for (const row of rows.slice(start, end)) row.classList.add(name);
    }
    for (const element of root.querySelectorAll(`[data-l="${found.dataset.line}"]`)) element.classList.add("hot");
  };
}

export function markRows(root, shown) {
  for (const row of root.querySelectorAll(".edu")) row.classList.toggle("chosen", shown(Number(row.dataset.start)));
}

export function drawGraph(canvas, size, edges, shown, title) {
  const side = Math.max(1, Math.min(size, MAX_CELLS));
  const cell = (edu) => Math.floor((edu * side) / size);
  canvas.width = canvas.height = side;
  const context = canvas.getContext("2d");
  const style = getComputedStyle(canvas);
  const cells = new Map();
  for (const [row, column] of edges) {
    const key = cell(row) * side + cell(column);
    cells.set(key, cells.get(key) || (shown(row) && shown(column)));
  }
  for (const [key, both] of cells) {
    context.fillStyle = style.getPropertyValue(both ? "--accent" : "--mute");
    context.globalAlpha = both ? 1 : 0.55;
    context.fillRect(key % side, Math.floor(key / side), 1, 1);
  }
  canvas.setAttribute("aria-label", `${title}: ${cells.size} cells of ${side} by ${side} are filled, for ${size} clauses.`);
}
