// Two runs side by side: rates per step. What is held, at the peak too, grows with the length of
// a run that leaks, so it is only compared where both made equally many steps.

function changeColumns(sameLength) {
  const pair = (title, of) => ({ title, number: true,
    key: (change) => of(change.after) - of(change.before),
    cell: (change) => formatBytes(of(change.before)) + " → " + formatBytes(of(change.after)) });
  return [
    { title: "change", cell: (change) => change.change, key: (change) => change.change },
    { title: "place", cell: (change) => [element("span", { class: "place" }, change.place), " ",
      formatOperators(change.ops)], key: (change) => change.place },
    pair("per step", (figures) => figures.bytesPerStep),
    ...sameLength ? [pair("at the peak", (figures) => figures.peakBytes),
      pair("held after the last step", (figures) => figures.totalBytes)] : [],
  ];
}

function ratesDiffer(change) {
  return change.before.bytesPerStep !== change.after.bytesPerStep;
}

function wholeLine(title, before, after) {
  return [element("dt", {}, title), element("dd", {}, before + " → " + after)];
}

/** The most that another device held in the steps of each point; null after its last step. */
function highsAt(points, other) {
  let next = 0;
  let held = null;
  return points.map((point) => {
    if (next === other.length)
      return null;
    for (let first = true; next < other.length && other[next][Round] <= point[Round]; ++next) {
      held = first ? other[next][High] : Math.max(held, other[next][High]);
      first = false;
    }
    return held;
  });
}

/** The device of the same name in the run that is compared with; undefined if it has none. */
function deviceBefore(device) {
  const runs = report.comparison ? report.comparison.runs : [];
  return runs.flatMap((run) => run.devices).find((other) => other.device === device.device);
}

function drawComparison() {
  const comparison = report.comparison;
  if (!comparison)
    return;
  const { before, after } = comparison.diff;
  const { worse, sameLength } = comparison;
  const sites = comparison.diff.sites.filter((change) => sameLength || ratesDiffer(change));
  const nodes = (run) => run.nodesPerStep.toFixed(1);
  const shown = report.words ? sites.filter((change) =>
    searchText(change.place, change.change, ...change.ops).includes(report.words)) : sites;
  replaceContent("comparison", heading("comparison", "Compared with " + comparison.name),
    element("p", { class: worse ? "headline bad" : "headline good" },
      worse ? "This run is worse." : "This run is not worse."),
    sameLength ? null : element("p", { class: "hint" }, "The runs made different numbers of " +
      "steps. What grows holds more in the longer one, so only rates are compared."),
    element("dl", { class: "facts" },
      wholeLine("steps", formatCount(before.steps), formatCount(after.steps)),
      wholeLine("growth per step", formatBytes(before.bytesPerStep),
        formatBytes(after.bytesPerStep)),
      wholeLine("autograd nodes per step", nodes(before), nodes(after)),
      wholeLine("at the peak", formatBytes(before.peakBytes), formatBytes(after.peakBytes))),
    shown.length ? sortableTable("Places that changed",
      changeColumns(sameLength), shown) :
      element("p", {}, "No place changed by more than 5 percent."));
}
