// The page as a whole: its head, the search, and the run's own words.

const report = JSON.parse(document.getElementById("data").textContent);
report.words = "";

function programName() {
  const command = report.runs.length ? report.runs[0].command : [];
  return command.length ? baseName(command[0]) : "a program";
}

/** What it comes to, in one sentence. */
function headline() {
  const confirmed = report.findings.filter((f) => f.verdict === "confirmed" &&
    f.suppressed === null);
  const perStep = Math.max(0, ...report.runs.map((run) => run.perStep));
  if (confirmed.length)
    return (confirmed.length === 1 ? "1 finding is" : confirmed.length + " findings are") +
      " confirmed" + (perStep ? "; memory grows by " + formatBytes(perStep) + " per step" : "");
  if (perStep)
    return "Memory grows by " + formatBytes(perStep) + " per step";
  return report.runs.some((run) => run.steps) ? "Nothing was seen to grow" :
    "No step was seen: growth cannot be determined";
}

function figure(title, text) {
  return element("div", { class: "figure" }, element("dt", {}, title), element("dd", {}, text));
}

function drawHeader() {
  document.title = programName() + ": tensorleak report";
  const largest = report.runs.reduce((a, b) => b.peak > a.peak ? b : a);
  const leaks = report.findings.some((f) => f.verdict === "confirmed" && f.suppressed === null);
  replaceContent("header", element("h1", {}, programName()),
    element("p", { class: leaks || largest.perStep ? "headline bad" : "headline good" },
      headline()),
    element("dl", { class: "figures" },
      figure("steps", formatCount(largest.steps)),
      figure("at the peak", formatBytes(largest.peak)),
      figure("growth per step", formatBytes(Math.max(...report.runs.map((r) => r.perStep)))),
      report.runs.length > 1 ? figure("processes", formatCount(report.runs.length)) : null));
}

function runElement(run) {
  const line = (title, text) => text ? [element("dt", {}, title), element("dd", {}, text)] : [];
  return element("article", {}, element("h3", {}, run.name + (run.host ? " on " + run.host : "")),
    element("dl", { class: "facts" },
      line("command", run.command.join(" ")),
      line("steps", run.steps ? formatCount(run.steps) + " (" + run.clock + ")" : "none seen"),
      line("tensors at the peak", formatBytes(run.peak)),
      line("growth per step", formatBytes(run.perStep)),
      line("autograd nodes per step", run.nodesPerStep ? run.nodesPerStep.toFixed(1) : ""),
      line("other host memory per step", run.heapPerStep ? formatBytes(run.heapPerStep) : "")),
    run.remarks.length ? element("ul", {}, run.remarks.map((r) => element("li", {}, r))) : null);
}

/** The processes of a job side by side. */
function runsTable() {
  if (report.runs.length < 2)
    return null;
  const bytes = (title, of) => ({ title, number: true, cell: (run) => formatBytes(of(run)),
    key: of });
  return sortableTable("The processes side by side", [
    { title: "process", cell: (run) => run.name, key: (run) => run.name },
    { title: "steps", number: true, cell: (run) => formatCount(run.steps), key: (r) => r.steps },
    bytes("growth per step", (run) => run.perStep),
    bytes("at the peak", (run) => run.peak)], report.runs);
}

function drawRun() {
  replaceContent("run", heading("run", "The run"), runsTable(),
    report.remarks.map((remark) => element("p", {}, remark)), report.runs.map(runElement),
    element("p", { class: "hint" }, "Made by tensorleak " + report.tool + ". Every sentence and " +
      "figure is explained in docs/reading-a-report.md of its source."));
}

function drawSearched() {
  drawComparison();
  drawFindings();
  drawFlames();
  drawPeak();
  drawPlaces();
}

function drawAll() {
  drawHeader();
  drawMemory();
  drawSearched();
  drawRun();
}

function listenToSearch() {
  let waiting = 0;
  document.getElementById("search").addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      report.words = event.target.value.trim().toLowerCase();
      drawSearched();
    }, 150);
  });
}

/** A link may bring the words: report.html#search=train.cpp */
function wordsOfLink() {
  const found = /^#search=(.*)$/.exec(location.hash);
  return found ? decodeURIComponent(found[1]) : "";
}

document.getElementById("search").value = wordsOfLink();
report.words = wordsOfLink().toLowerCase();
drawAll();
listenToSearch();
// Charts are painted in the colors of the moment.
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
document.documentElement.dataset.ready = Math.round(performance.now()) + " ms";
