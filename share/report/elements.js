"use strict";
// Making the page's elements. Text only ever becomes text: no function here parses HTML.

/** An element with attributes and children; a child that is null is left out. */
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {}))
    if (typeof value === "function")
      made.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false)
      made.setAttribute(key, value === true ? "" : value);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

function replaceContent(id, ...children) {
  const into = document.getElementById(id);
  into.replaceChildren(...children.flat().filter((child) => child));
  return into;
}

function heading(section, text) {
  return element("h2", { id: section + "-title" }, text);
}

/** A choice of one of several, as a list; nothing where there is nothing to choose. */
function chooser(label, names, chosen, onChoice) {
  if (names.length < 2)
    return null;
  const options = names.map((name, i) =>
    element("option", { value: String(i), selected: i === chosen }, name));
  const list = element("select", { change: (event) => onChoice(Number(event.target.value)) },
    options);
  return element("label", {}, label + " ", list);
}

/** The same with a button for each, which is pressed where it is chosen. */
function switcher(label, names, chosen, onChoice) {
  const buttons = names.map((name, i) =>
    element("button", { type: "button", "aria-pressed": String(i === chosen),
      click: () => onChoice(i) }, name));
  return element("div", { class: "switcher", role: "group", "aria-label": label }, buttons);
}

/**
 * A table that is sorted by the columns whose header is pressed.
 * Columns: {title, cell(row), key(row), number}; the rows come sorted by the first choice.
 */
function sortableTable(caption, columns, rows) {
  const body = element("tbody");
  const fill = (sorted) => body.replaceChildren(...sorted.map((row) => tableRow(columns, row)));
  const headers = columns.map((column) => sortingHeader(column, rows, fill));
  fill(rows);
  const table = element("table", {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, headers)), body);
  return element("div", { class: "scrolls", tabindex: "0", role: "region",
    "aria-label": caption }, table);
}

function tableRow(columns, row) {
  return element("tr", {}, columns.map((column) =>
    element("td", { class: column.number ? "number" : "", "data-title": column.title },
      column.cell(row))));
}

function sortingHeader(column, rows, fill) {
  const header = element("th", { scope: "col", class: column.number ? "number" : "" });
  if (!column.key) {
    header.append(column.title);
    return header;
  }
  const sort = () => {
    const down = header.getAttribute("aria-sort") !== "descending";
    for (const other of header.parentNode.children)
      other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
    fill([...rows].sort((a, b) => compare(column.key(a), column.key(b)) * (down ? -1 : 1)));
  };
  header.append(element("button", { type: "button", class: "sort", click: sort }, column.title));
  return header;
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
