"use strict";
// Sorting and filtering of tables, the choice of a metric, and the charts. No library but Vega's.
const data = JSON.parse(document.getElementById("page-data").textContent);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const byId = (id) => document.getElementById(id);

// Undefined cells have no number and come last, whichever way a column is sorted.
function value(row, column) {
  const cell = row.cells[column];
  const number = cell.querySelector("data");
  if (number) return Number(number.value);
  return cell.className.includes("undefined") ? null : cell.textContent.trim();
}

function compare(a, b) {
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}

for (const button of all("th button")) {
  const head = button.parentElement;
  button.addEventListener("click", () => {
    const body = head.closest("table").tBodies[0];
    const column = head.cellIndex;
    const first = head.classList.contains("text") ? "ascending" : "descending";
    const other = { ascending: "descending", descending: "ascending" };
    const order = head.ariaSort ? other[head.ariaSort] : first;
    for (const th of head.parentElement.cells) th.ariaSort = null;
    head.ariaSort = order;
    const sign = order === "ascending" ? 1 : -1;
    const rows = [...body.rows].map((row) => [value(row, column), row]);
    rows.sort(([a], [b]) => (a === null) - (b === null) || (a === null ? 0 : sign * compare(a, b)));
    body.append(...rows.map(([, row]) => row));
  });
}

// A filter names the things it filters; each of these says in data-text what it is searched by.
function filter(controls) {
  const wanted = all("input[type=search]", controls).map((input) => input.value.toLowerCase());
  const kinds = all("select", controls).map((select) => select.value).filter(Boolean);
  const things = all(controls.dataset.filters);
  for (const thing of things) {
    const text = thing.dataset.text.toLowerCase();
    const kind = (thing.dataset.kind ?? "").split("\n");
    thing.hidden = !(wanted.every((w) => text.includes(w)) && kinds.every((k) => kind.includes(k)));
  }
  const shown = things.filter((thing) => !thing.hidden).length;
  all("output", controls).forEach((output) => { output.value = `${shown} of ${things.length}`; });
}

for (const controls of all("[data-filters]")) {
  for (const event of ["input", "change"]) controls.addEventListener(event, () => filter(controls));
  filter(controls);
}

for (const box of all("[data-layer]")) {
  box.addEventListener("change", () => {
    for (const line of all(`[data-line="${CSS.escape(box.dataset.layer)}"]`)) line.hidden = !box.checked;
  });
}

// Colours are names of the style sheet's, which SVG understands: no redrawing for dark or print.
const ink = { labelColor: "var(--muted)", titleColor: "var(--muted)", domainColor: "var(--line)", tickColor: "var(--line)", gridColor: "var(--line)", titleFontWeight: "normal" };
const options = {
  mode: "vega-lite", renderer: "svg", actions: false, ast: true, defaultStyle: false,
  tooltip: { disableDefaultStyle: true },
  config: { background: null, view: { stroke: null }, axis: ink, legend: ink, text: { color: "var(--ink)" } },
};
const views = {};

// A test set's charts show the systems by the chosen metric; the index's have their data in them.
async function draw(name) {
  for (const [id, spec] of Object.entries(data.charts)) {
    if (name) spec.data.values = data.metrics[name][id];
    views[id] = (await vegaEmbed(byId(id), spec, options)).view;
  }
}

function choose(name) {
  for (const [id, view] of Object.entries(views)) view.data("systems", data.metrics[name][id]).runAsync();
  for (const part of all("[data-metric]")) part.hidden = part.dataset.metric !== name;
  for (const head of all("th[data-column]")) head.classList.toggle("chosen", head.dataset.column === name);
}

const chooser = byId("metric");
chooser?.addEventListener("change", () => choose(chooser.value));
draw(chooser?.value).then(() => {
  if (chooser) choose(chooser.value);
  document.documentElement.dataset.drawn = "yes";
});
