// Figures and places as people read them, in the words of the text report.

const units = ["B", "KiB", "MiB", "GiB", "TiB"];

/** "672 KiB", "1.5 MiB", "31 B". */
function formatBytes(bytes) {
  let value = bytes;
  let unit = 0;
  for (; Math.abs(value) >= 1024 && unit < units.length - 1; ++unit)
    value /= 1024;
  return (Number.isInteger(value) ? value : value.toFixed(1)) + " " + units[unit];
}

function formatCount(count) {
  return count.toLocaleString("en-US");
}

/** "1:02:03" since the start. */
function formatTime(seconds) {
  const whole = Math.floor(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return (hours ? hours + ":" + two(minutes) : minutes) + ":" + two(whole % 60);
}

function baseName(file) {
  return file.slice(file.lastIndexOf("/") + 1);
}

function placeName(place) {
  return baseName(place.file) + ":" + place.line;
}

/** A place with its folder as a tooltip. */
function placeElement(place) {
  return element("span", { class: "place", title: place.file + ":" + place.line },
    placeName(place));
}

/** "aten::relu, aten::add"; a place may have dozens. */
function formatOperators(operators) {
  const most = 4;
  const shown = operators.slice(0, most).join(", ");
  return operators.length > most ? shown + " and " + (operators.length - most) + " more" : shown;
}

/** What the search looks through, of anything: all of its text. */
function searchText(...parts) {
  return parts.filter((part) => part).join(" ").toLowerCase();
}

function frameText(frame) {
  return searchText(frame.function, frame.file + ":" + frame.line, frame.text);
}

function siteText(site) {
  return searchText(...site.frames.map((index) => frameText(report.frames[index])), ...site.ops);
}
