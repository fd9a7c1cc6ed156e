// Memory over time: what was alive at the end of each step, by kind, and the most within it.

// The order of the numbers of a point, as runtime/replay/timeline/TimelineJson.h has it.
const Round = 0, Microseconds = 1, Live = 2, Low = 3, High = 4, Standing = 5, Gradients = 6,
  OptimizerState = 7, Kept = 8, HighRound = 9;

function ofTheStepAt(p) {
  return Math.max(0, p[Live] - p[Standing] - p[Gradients] - p[OptimizerState] - p[Kept]);
}

// From the bottom of the chart up.
const kinds = [
  { name: "from before the steps", color: "--standing", of: (p) => p[Standing] },
  { name: "optimizer state", color: "--optimizer", of: (p) => p[OptimizerState] },
  { name: "gradients", color: "--gradients", of: (p) => p[Gradients] },
  { name: "kept from earlier steps", color: "--kept", of: (p) => p[Kept] },
  { name: "of the step itself", color: "--step", of: ofTheStepAt },
];

const memoryView = { choice: 0, byTime: false };

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Every device of every run: [{name, device}]. */
function allDevices() {
  const nameOf = (run, device) => report.runs.length > 1 ? run.name + ", " + device.device :
    device.device;
  return report.runs.flatMap((run) => run.devices.map((device) =>
    ({ name: nameOf(run, device), device })));
}

/** What is on each level: the kinds added up, the highest first, so that lower ones cover it. */
function stackedLevels(points) {
  let below = points.map(() => 0);
  const levels = kinds.map((kind) => {
    below = points.map((point, i) => below[i] + kind.of(point));
    return { kind, values: below };
  });
  return levels.filter((level) => points.some(level.kind.of)).reverse();
}

/** The reserved bytes at each point: they were looked at now and then, and hold until then. */
function reservedAt(device) {
  let next = 0;
  let bytes = null;
  return device.points.map((point) => {
    for (; next < device.reserved.length && device.reserved[next][0] <= point[Round]; ++next)
      bytes = device.reserved[next][1];
    return bytes;
  });
}

function levelSeries(level, points) {
  return { label: level.kind.name, fill: color(level.kind.color), stroke: color(level.kind.color),
    width: 1, points: { show: false },
    value: (chart, sum, series, i) => i === null ? "" : formatBytes(level.kind.of(points[i])) };
}

function lineSeries(label, name, dash) {
  return { label, stroke: color(name), width: 1.5, dash, points: { show: false },
    value: (chart, bytes) => bytes === null || bytes === undefined ? "" : formatBytes(bytes) };
}

/** The data and the series of uPlot for one device. */
function memorySeries(device) {
  const points = device.points;
  const x = points.map((p) => memoryView.byTime ? p[Microseconds] / 1e6 : p[Round]);
  const levels = stackedLevels(points);
  const data = [x, ...levels.map((level) => level.values), points.map((p) => p[High])];
  const series = [
    { label: memoryView.byTime ? "time" : "step",
      value: (chart, at) => at === null ? "" : memoryView.byTime ? formatTime(at) : String(at) },
    ...levels.map((level) => levelSeries(level, points)),
    lineSeries("most within the step", "--high"),
  ];
  if (device.reserved.length) {
    data.push(reservedAt(device));
    series.push(lineSeries("reserved by the allocator", "--reserved", [6, 4]));
  }
  const before = deviceBefore(device);
  if (before && !memoryView.byTime) {
    data.push(highsAt(points, before.points));
    series.push(lineSeries("most within the step, in " + report.comparison.name, "--before"));
  }
  return { data, series };
}

function axis(values) {
  return { stroke: color("--text"), grid: { stroke: color("--line"), width: 1 },
    ticks: { stroke: color("--line"), width: 1 }, values };
}

/** Ticks of the memory axis at round numbers of KiB, MiB or GiB. */
function byteSplits(chart, axisIndex, low, high) {
  const rough = (high - low) / 5 || 1;
  const unit = Math.pow(1024, Math.floor(Math.log(rough) / Math.log(1024)));
  const step = unit * ([1, 2, 5, 10, 20, 50, 100, 200, 500].find((n) => n * unit >= rough) || 1000);
  const splits = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step)
    splits.push(at);
  return splits;
}

function chartOptions(series, width) {
  return {
    width, height: 320, series,
    scales: { x: { time: false }, y: { range: (chart, low, high) => [0, high * 1.05 || 1] } },
    axes: [
      axis(memoryView.byTime ? (chart, all) => all.map(formatTime) : undefined),
      { ...axis((chart, all) => all.map(formatBytes)), splits: byteSplits, size: 80 },
    ],
    cursor: { drag: { x: true, y: false } },
  };
}

function drawChart(into, device) {
  const { data, series } = memorySeries(device);
  const chart = new uPlot(chartOptions(series, into.clientWidth || 900), data, into);
  const fit = (sizes, observer) => into.isConnected ?
    chart.setSize({ width: into.clientWidth, height: 320 }) : observer.disconnect();
  new ResizeObserver(fit).observe(into);
  return chart;
}

/** Left and right move the cursor and read it out, plus and minus zoom, Escape shows all. */
function addKeys(box, chart, device, spoken) {
  let at = device.points.length - 1;
  const move = (by) => {
    at = Math.min(Math.max(at + by, 0), device.points.length - 1);
    chart.setCursor({ left: chart.valToPos(chart.data[0][at], "x"), top: 20 });
    spoken.textContent = describePoint(device.points, at);
  };
  const zoom = (factor) => {
    const center = chart.data[0][at];
    const half = (chart.scales.x.max - chart.scales.x.min) * factor / 2;
    chart.setScale("x", { min: center - half, max: center + half });
  };
  const far = Math.max(1, Math.round(device.points.length / 20));
  const actions = { ArrowLeft: () => move(-1), ArrowRight: () => move(1), PageUp: () => move(-far),
    PageDown: () => move(far), Home: () => move(-Infinity), End: () => move(Infinity),
    "+": () => zoom(0.5), "-": () => zoom(2), Escape: () => showAll(chart) };
  box.addEventListener("keydown", (event) => {
    if (!actions[event.key])
      return;
    actions[event.key]();
    event.preventDefault();
  });
}

function showAll(chart) {
  const x = chart.data[0];
  chart.setScale("x", { min: x[0], max: x[x.length - 1] });
}

/** The last point is taken when main has returned, after the last step. */
function isOfTheEnd(points, at) {
  return at > 0 && at === points.length - 1 && points[at][Round] === points[at - 1][Round];
}

function describePoint(points, at) {
  const point = points[at];
  const when = isOfTheEnd(points, at) ? "the end of the program" : "step " + point[Round];
  const parts = kinds.filter((kind) => kind.of(point)).map((kind) =>
    formatBytes(kind.of(point)) + " " + kind.name);
  const split = parts.length ? " (" + parts.join(", ") + ")" : "";
  return when + ", " + formatTime(point[Microseconds] / 1e6) + ": " +
    formatBytes(point[Live]) + " alive then" + split + ", at most " +
    formatBytes(point[High]) + " since the one before";
}

function nameOfStep(points, point) {
  return isOfTheEnd(points, points.indexOf(point)) ? "end" : formatCount(point[Round]);
}

function highestPoint(device) {
  return device.points.reduce((a, b) => b[High] > a[High] ? b : a);
}

/** Some twenty points as a table, the highest among them. */
function memoryTable(device) {
  const highest = highestPoint(device);
  const every = Math.max(1, Math.ceil(device.points.length / 20));
  const rows = device.points.filter((point, i) => i % every === 0 || point === highest ||
    i === device.points.length - 1);
  const bytesOf = (title, of) => ({ title, number: true, cell: (p) => formatBytes(of(p)) });
  return element("details", {}, element("summary", {}, "As a table"),
    sortableTable("Memory at some of the steps", [
      { title: "step", number: true, cell: (p) => nameOfStep(device.points, p) },
      { title: "time", number: true, cell: (p) => formatTime(p[Microseconds] / 1e6) },
      bytesOf("alive at its end", (p) => p[Live]),
      bytesOf("least", (p) => p[Low]),
      bytesOf("most within", (p) => p[High]),
      ...kinds.map((kind) => bytesOf(kind.name, kind.of)),
    ], rows));
}

function memoryControls(devices, hasTimes) {
  const again = (change) => (value) => {
    Object.assign(memoryView, change(value));
    drawMemory();
  };
  return element("div", { class: "controls" },
    chooser("Memory of", devices.map((d) => d.name), memoryView.choice,
      again((choice) => ({ choice }))),
    hasTimes ? switcher("Axis", ["by step", "by time"], memoryView.byTime ? 1 : 0,
      again((i) => ({ byTime: i === 1 }))) : null);
}

function drawMemory() {
  const devices = allDevices().filter((d) => d.device.points.length);
  if (!devices.length)
    return replaceContent("memory", heading("memory", "Memory over time"),
      element("p", {}, "The record has no memory over time: an older tensorleak made it, or " +
        "PyTorch did."));
  const { device } = devices[memoryView.choice];
  const highest = highestPoint(device);
  const box = element("div", { class: "chart", tabindex: "0", role: "application",
    "aria-label": "Chart of the memory of " + device.device + ". " +
      describePoint(device.points, device.points.indexOf(highest)) +
      ". Left and right read out the steps, plus and minus zoom, Escape shows all." });
  const spoken = element("p", { class: "spoken", "aria-live": "polite" });
  const hasTimes = device.points.some((point) => point[Microseconds]);
  replaceContent("memory", heading("memory", "Memory over time"),
    memoryControls(devices, hasTimes),
    element("p", { class: "hint" }, "Highest: " + formatBytes(highest[High]) + " in step " +
      formatCount(highest[HighRound]) + ". Drag to zoom, double-click to show all."),
    box, spoken, memoryTable(device));
  addKeys(box, drawChart(box, device), device, spoken);
}
