// The findings: what, how much, where, who keeps it and how to fix it.

function badge(finding) {
  const name = finding.suppressed !== null ? "suppressed" : finding.verdict || "unjudged";
  const words = finding.suppressed !== null ? "set aside" : finding.words;
  return element("span", { class: "badge " + name }, words);
}

/** "672 KiB per step", "39.4 MiB in all", ... what the run measured. */
function figures(finding) {
  const measured = finding.evidence;
  const bytes = (value, words) => value ? formatBytes(value) + " " + words : null;
  const all = [bytes(measured.bytesPerStep, "per step"), bytes(measured.totalBytes, "in all"),
    bytes(measured.peakBytes, "at the peak"),
    bytes(measured.hostBytesPerStep, "of other host memory per step"),
    measured.nodesPerStep ? measured.nodesPerStep.toFixed(1) + " autograd nodes per step" : null]
    .filter((text) => text);
  if (!all.length && finding.formula)
    return "about " + finding.formula + " bytes, by the check";
  if (!all.length && finding.bytes)
    return "about " + formatBytes(finding.bytes) + ", by the check";
  return all.join(", ");
}

/** Lines with their numbers; those for which isMarked says so stand out. */
function codeLines(first, lines, isMarked) {
  return element("pre", { class: "code", tabindex: "0" }, lines.map((line, i) => {
    const row = element("span", { class: isMarked(first + i) ? "row marked" : "row" },
      element("span", { class: "number" }, String(first + i)), line + "\n");
    return row;
  }));
}

function excerptOf(finding) {
  const excerpt = finding.excerpt;
  if (!excerpt)
    return element("p", { class: "hint" }, "The source " + finding.place.file +
      " is not on the machine that made this report.");
  return [excerpt.changed ? element("p", { class: "hint" },
    "This file changed since it was checked; the line may have moved.") : null,
    codeLines(excerpt.first, excerpt.lines, (line) => line === finding.place.line)];
}

function fixOf(finding) {
  if (!finding.fix)
    return null;
  const rows = (lines, sign, name) => lines.map((line) =>
    element("span", { class: "row " + name }, sign + " " + line + "\n"));
  return [element("h4", {}, "Fix"),
    element("pre", { class: "code", tabindex: "0" }, rows(finding.fix.before, "-", "removed"),
      rows(finding.fix.after, "+", "added"))];
}

/** From the variable that keeps it, object by object, to the memory. */
function wayOf(finding) {
  if (!finding.evidence.holder)
    return null;
  const steps = [finding.evidence.holder, ...finding.way,
    "the memory that " + placeName(finding.place) + " made"];
  return [element("h4", {}, "Who keeps it"),
    element("ol", { class: "way" }, steps.map((step) => element("li", {}, step)))];
}

function notesOf(finding) {
  if (!finding.notes.length)
    return null;
  return [element("h4", {}, "How it comes about"), element("ol", { class: "notes" },
    finding.notes.map((note) => element("li", {}, placeElement(note.place), " ", note.message,
      note.text ? element("code", { class: "line" }, note.text.trim()) : null)))];
}

function partsOf(finding) {
  if (!finding.parts.length)
    return null;
  return element("ul", { class: "parts" }, finding.parts.map((part) =>
    element("li", {}, part.part + ": " + part.words +
      (part.perStep === null ? "" : ", " + formatBytes(part.perStep) + " per step"))));
}

function ruleOf(finding) {
  return element("details", {}, element("summary", {}, "About " + finding.rule),
    element("p", {}, finding.description || finding.summary || ""),
    finding.help ? element("pre", { class: "help" }, finding.help) : null);
}

function findingElement(finding, number) {
  const title = "finding-" + number;
  return element("article", { class: "finding", "aria-labelledby": title },
    element("h3", { id: title }, badge(finding), " ", placeElement(finding.place), " ",
      element("span", { class: "figures" }, figures(finding))),
    element("p", { class: "message" }, finding.message),
    finding.evidence.reason ? element("p", { class: "reason" }, finding.words + ": " +
      finding.evidence.reason) : null,
    finding.suppressed ? element("p", {}, "set aside: " + finding.suppressed) : null,
    partsOf(finding), excerptOf(finding), fixOf(finding), wayOf(finding), notesOf(finding),
    ruleOf(finding));
}

function findingText(finding) {
  return searchText(finding.rule, finding.message, finding.words,
    finding.place.file + ":" + finding.place.line, finding.evidence.holder,
    ...(finding.excerpt ? finding.excerpt.lines : []));
}

function drawFindings() {
  const shown = report.findings.filter((finding) =>
    !report.words || findingText(finding).includes(report.words));
  const none = report.findings.length ? "No finding has these words." :
    "None: nothing grows, and no check found anything.";
  replaceContent("findings", heading("findings", "Findings"),
    element("p", { class: "hint" }, report.counts + "; confirmed ones first, then by bytes."),
    shown.length ? shown.map(findingElement) : element("p", {}, none));
}
