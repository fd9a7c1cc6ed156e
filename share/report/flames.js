// Flame graphs: from the outermost function of the program down to the operator.

const measures = [
  { name: "alive at the peak", of: (site) => site.peak },
  { name: "alive at the end", of: (site) => site.total },
  { name: "growth per step", of: (site) => site.perStep },
];

const flameView = { run: 0, measure: 0 };

/** The steps from outside in: functions with their lines, then the operators. */
function flamePath(site) {
  const frames = site.frames.map((index) => report.frames[index]).reverse();
  const path = frames.map((frame) => ({
    name: (frame.function ? frame.function + " " : "") + placeName(frame),
    more: frame.file + ":" + frame.line + (frame.text ? "  " + frame.text.trim() : "") }));
  if (!frames.length)
    path.push({ name: "no line of the program", more: "made in a library, or without -g" });
  const operators = formatOperators(site.ops);
  return operators ? [...path, { name: operators, more: "operator" }] : path;
}

function childNamed(node, step) {
  let child = node.children.find((other) => other.name === step.name);
  if (!child) {
    child = { ...step, value: 0, children: [] };
    node.children.push(child);
  }
  return child;
}

/** A tree whose nodes have the bytes of all that is below them. */
function flameTree(run, measure) {
  const root = { name: run.name, more: measure.name, value: 0, children: [] };
  for (const site of run.sites.filter((s) => measure.of(s) > 0)) {
    let node = root;
    node.value += measure.of(site);
    for (const step of flamePath(site)) {
      node = childNamed(node, step);
      node.value += measure.of(site);
    }
  }
  return root;
}

/** One hue for each line, so that it is found again in another graph. */
function flameColor(node) {
  let hash = 0;
  for (const letter of node.data.name)
    hash = (hash * 31 + letter.charCodeAt(0)) % 360;
  const isFound = node.highlight;
  return isFound ? color("--found") : "hsl(" + (20 + hash % 200) + " 55% 68%)";
}

function contains(tree, words) {
  return words && searchText(tree.name, tree.more).includes(words);
}

function drawFlame(box, tree, told) {
  const say = (node) => {
    told.textContent = node.data.name + ": " + formatBytes(node.data.value) + ", " +
      (100 * node.data.value / (tree.value || 1)).toFixed(1) + "%. " + node.data.more;
  };
  const chart = flamegraph().width(box.clientWidth || 900).cellHeight(20).minFrameSize(2)
    .inverted(true).transitionDuration(0).sort((a, b) => compare(b.data.value, a.data.value))
    .selfValue(false).setColorMapper(flameColor).onHover(say).onClick(say)
    .getName((node) => node.data.name)
    .setLabelHandler((node) => node.data.name + ": " + formatBytes(node.data.value))
    .setSearchMatch((node, words) => contains(node.data, words));
  d3.select(box).datum(tree).call(chart);
  if (report.words)
    chart.search(report.words);
}

/** The same tree as nested lists, which can be read and opened without a mouse. */
function flameList(node, depth) {
  const line = [element("span", { class: "bytes" }, formatBytes(node.value)), " ",
    element("span", { title: node.more }, node.name)];
  if (!node.children.length)
    return element("li", {}, line);
  const children = [...node.children].sort((a, b) => b.value - a.value);
  const list = element("ul", {}, children.map((child) => flameList(child, depth + 1)));
  return element("li", {}, element("details", { open: depth < 1 },
    element("summary", {}, line), list));
}

function drawFlames() {
  const run = report.runs[flameView.run];
  const measure = measures[flameView.measure];
  const tree = flameTree(run, measure);
  const again = (member) => (value) => {
    flameView[member] = value;
    drawFlames();
  };
  const controls = element("div", { class: "controls" },
    chooser("Process", report.runs.map((r) => r.name), flameView.run, again("run")),
    switcher("Bytes", measures.map((m) => m.name), flameView.measure, again("measure")));
  if (!tree.value)
    return replaceContent("flames", heading("flames", "Who holds it"), controls,
      element("p", {}, "Nothing: " + measure.name + " is 0 B at every place."));
  const box = element("div", { class: "flame", role: "img",
    "aria-label": "Flame graph: " + measure.name + ". The list below says the same." });
  const told = element("p", { class: "told" }, "Point at a line for its bytes, click to zoom.");
  replaceContent("flames", heading("flames", "Who holds it"), controls,
    element("p", { class: "hint" }, formatBytes(tree.value) + " " + measure.name +
      ", by the lines that allocated; what is below is called by what is above."),
    box, told, element("details", {}, element("summary", {}, "As a list"),
      element("ul", { class: "tree" }, flameList(tree, 0))));
  drawFlame(box, tree, told);
}
