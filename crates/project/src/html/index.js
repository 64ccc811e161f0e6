"use strict";
// Filters the table of units, and sorts it by the column that is clicked.
const table = document.getElementById("units");
const rows = () => Array.from(table.tBodies[0].rows);
document.getElementById("filter").addEventListener("input", (event) => {
  const wanted = event.target.value.toLowerCase();
  for (const row of rows()) row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
});
Array.from(table.tHead.rows[0].cells).forEach((cell, column) => {
  cell.tabIndex = 0;
  const sort = () => {
    const up = cell.getAttribute("aria-sort") !== "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    cell.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = (row) => row.cells[column].querySelector("meter")?.value ?? row.cells[column].textContent;
    const sorted = rows().sort((one, other) => {
      const [a, b] = [key(one), key(other)];
      const order = isNaN(a) || isNaN(b) ? String(a).localeCompare(String(b)) : a - b;
      return up ? order : -order;
    });
    table.tBodies[0].append(...sorted);
  };
  cell.addEventListener("click", sort);
  cell.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(); });
});
