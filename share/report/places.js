// Tables of the places that allocate: those of the peak, and all.

const placesView = { run: 0, all: false };
const firstPlaces = 25;

function siteElement(site) {
  if (!site.frames.length)
    return "no line of the program";
  const frames = site.frames.map((index) => report.frames[index]);
  const callers = frames.slice(1).map((frame) =>
    element("li", {}, placeElement(frame), " ", frame.function));
  return [placeElement(frames[0]), " ", frames[0].function,
    frames[0].text ? element("code", { class: "line" }, frames[0].text.trim()) : null,
    callers.length ? element("details", {}, element("summary", {}, "called by"),
      element("ul", {}, callers)) : null];
}

const placeColumn = { title: "place", cell: siteElement,
  key: (site) => site.frames.length ? frameText(report.frames[site.frames[0]]) : "" };
const operatorColumn = { title: "operator", cell: (site) => formatOperators(site.ops),
  key: (site) => site.ops.join() };

function bytesColumn(title, of) {
  return { title, number: true, cell: (site) => of(site) ? formatBytes(of(site)) : "",
    key: of };
}

function countColumn(title, of) {
  return { title, number: true, cell: (site) => of(site) ? formatCount(of(site)) : "", key: of };
}

function found(sites) {
  return report.words ? sites.filter((site) => siteText(site).includes(report.words)) : sites;
}

/** The part of the peak that is neither from before the steps nor kept from earlier ones. */
function ofTheStep(site) {
  return site.peak - site.peakBefore - site.peakEarlier;
}

/** A bar that shows how much of the peak a place held. */
function shareBar(bytes, all) {
  return element("meter", { min: "0", max: String(all || 1), value: String(bytes),
    "aria-hidden": "true" });
}

function drawPeak() {
  const run = report.runs[placesView.run];
  const largest = found(run.sites.filter((site) => site.peak > 0))
    .sort((a, b) => b.peak - a.peak).slice(0, 10);
  const kindsKnown = run.steps > 0 && run.sites.some((site) => site.peakCount);
  const columns = [placeColumn, operatorColumn,
    { title: "at the peak", number: true, key: (site) => site.peak,
      cell: (site) => [shareBar(site.peak, run.peak), " ", formatBytes(site.peak)] },
    countColumn("allocations", (site) => site.peakCount),
    ...kindsKnown ? [bytesColumn("from before the steps", (site) => site.peakBefore),
      bytesColumn("kept from earlier steps", (site) => site.peakEarlier),
      bytesColumn("of the step itself", ofTheStep)] : []];
  replaceContent("peak", heading("peak", "The peak"), runChooser(),
    element("p", { class: "hint" }, "At most " + formatBytes(run.peak) +
      " of tensors were alive at once. These places held most of it:"),
    sortableTable("The ten largest places at the peak", columns, largest),
    run.advice.length ? [element("h3", {}, "What would lower it"),
      element("pre", { class: "advice" }, run.advice.join("\n"))] : null);
}

function runChooser() {
  return chooser("Process", report.runs.map((run) => run.name), placesView.run, (run) => {
    placesView.run = run;
    drawPeak();
    drawPlaces();
  });
}

function drawPlaces() {
  const run = report.runs[placesView.run];
  const sites = found([...run.sites])
    .sort((a, b) => b.perStep - a.perStep || b.total - a.total || b.peak - a.peak);
  const shown = placesView.all ? sites : sites.slice(0, firstPlaces);
  const columns = [placeColumn, operatorColumn,
    bytesColumn("growth per step", (site) => site.perStep),
    bytesColumn("held after the last step", (site) => site.total),
    countColumn("objects alive at exit", (site) => site.alive),
    bytesColumn("at the peak", (site) => site.peak),
    countColumn("allocations in all", (site) => site.allocations)];
  const more = () => {
    placesView.all = true;
    drawPlaces();
  };
  replaceContent("places", heading("places", "All places"),
    element("p", { class: "hint" }, formatCount(sites.length) + " places held memory; those " +
      "that grow come first. Press a column's title to sort by it."),
    sortableTable("Places that allocate", columns, shown),
    shown.length < sites.length ? element("button", { type: "button", click: more },
      "Show all " + formatCount(sites.length)) : null);
}
