"use strict";
const table = document.querySelector("#all");
const cells = row => [...row.cells];
const value = cell => cell.dataset.value ?? cell.textContent;
function sort(column) {
  const head = table.tHead.rows[0].cells[column];
  const ascending = head.getAttribute("aria-sort") !== "ascending";
  cells(table.tHead.rows[0]).forEach(each => each.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const numeric = head.classList.contains("number");
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => {
    const x = value(a.cells[column]);
    const y = value(b.cells[column]);
    const order = numeric ? Number(x) - Number(y) : x.localeCompare(y);
    return ascending ? order : -order;
  });
  table.tBodies[0].append(...rows);
}
function csv() {
  const quoted = text => /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  return [...table.rows].map(row => cells(row).map(cell => quoted(value(cell))).join(",")).join("\n") + "\n";
}
async function copy(button) {
  try {
    await navigator.clipboard.writeText(csv());
  } catch {
    const area = document.createElement("textarea");
    area.value = csv();
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  button.textContent = "Copied";
}
if (table) {
  cells(table.tHead.rows[0]).forEach((head, column) =>
    head.firstElementChild.addEventListener("click", () => sort(column)));
  const button = document.querySelector("#copy");
  button.addEventListener("click", () => copy(button));
}
