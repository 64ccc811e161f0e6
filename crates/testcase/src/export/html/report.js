"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const signs = { covered: "●", infeasible: "∅", infeasible_up_to: "≤", only_undefined: "!", unknown: "?" };
  const words = { infeasible_up_to: "infeasible up to the bound", only_undefined: "only with undefined behaviour", unknown: "open" };
  const grid = document.getElementById("grid");

  const element = (parent, name, className, text) => {
    const child = document.createElement(name);
    if (className) child.className = className;
    if (text !== undefined) child.textContent = text;
    parent.append(child);
    return child;
  };
  const link = (parent, kind, id) => {
    const anchor = element(parent, "a", "", id);
    anchor.href = "#" + kind + "-" + encodeURIComponent(id);
    return anchor;
  };

  const drawHead = () => {
    const row = element(element(grid, "thead"), "tr");
    element(row, "th", "corner", data.goals.length + " goals × " + data.tests.length + " tests");
    for (const test of data.tests) {
      const head = element(row, "th", "column");
      head.scope = "col";
      link(head, "test", test.id);
    }
    element(row, "th", "fill");
  };

  const drawGoal = (body, goal) => {
    const row = element(body, "tr");
    row.dataset.status = goal.status;
    const head = element(row, "th", goal.status);
    head.scope = "row";
    element(head, "i", "", signs[goal.status]);
    link(element(head, "b"), "goal", goal.id);
    head.append(goal.label);
    if (goal.tests.length === 0) {
      const cell = element(row, "td", "none " + goal.status);
      cell.colSpan = data.tests.length + 1;
      element(cell, "span", "", words[goal.status] || goal.status);
      return;
    }
    const by = new Set(goal.tests);
    data.tests.forEach((test, index) => {
      const cell = element(row, "td", by.has(index) ? "on" : "");
      if (by.has(index)) cell.title = goal.id + " by " + test.id;
    });
    element(row, "td", "fill");
  };

  const drawOutcome = (foot, name, index) => {
    const row = element(foot, "tr");
    element(row, "th", "", "expected " + name).scope = "row";
    for (const test of data.tests) {
      const value = test.expected[index];
      const short = value === "true" ? "T" : value === "false" ? "F" : "…";
      element(row, "td", value === "true" ? "true" : "", short).title = test.id + ": " + name + " = " + value;
    }
    element(row, "td", "fill");
  };

  const drawGrid = () => {
    drawHead();
    const body = element(grid, "tbody");
    for (const goal of data.goals) drawGoal(body, goal);
    const truths = data.tests.every((test) => ["true", "false"].includes(test.expected[0]));
    if (data.outputs.length === 1 && truths) drawOutcome(element(grid, "tfoot"), data.outputs[0], 0);
  };

  // The column under the pointer is lit like the row.
  const lightColumn = () => {
    let lit = [];
    grid.addEventListener("mouseover", (event) => {
      const cell = event.target.closest("td, th");
      for (const old of lit) old.classList.remove("cross");
      lit = [];
      if (!cell || cell.cellIndex === 0 || cell.matches(".none, .fill")) return;
      for (const row of grid.rows) {
        const other = row.cells[cell.cellIndex];
        if (other && !other.classList.contains("none")) { other.classList.add("cross"); lit.push(other); }
      }
    });
    grid.addEventListener("mouseleave", () => { for (const old of lit) old.classList.remove("cross"); lit = []; });
  };

  // Search and filter: a goal is shown if its status is wanted and it holds every word; a test if it holds every word.
  const search = document.getElementById("search");
  const found = document.getElementById("found");
  const buttons = [...document.querySelectorAll("nav button[data-show]")];
  const goalRows = [...document.querySelectorAll("#goals tr[data-status]")];
  let wanted = "all";
  const apply = () => {
    const terms = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const holds = (node) => { const text = node.textContent.toLowerCase(); return terms.every((term) => text.includes(term)); };
    for (const node of document.querySelectorAll("[data-status]")) {
      node.hidden = (wanted !== "all" && node.dataset.status !== wanted) || !holds(node);
    }
    for (const node of document.querySelectorAll("[data-test]")) node.hidden = !holds(node);
    for (const box of document.querySelectorAll(".why")) box.hidden = !box.querySelector("li:not([hidden])");
    for (const box of document.querySelectorAll(".fate")) box.hidden = !box.querySelector(".why:not([hidden])");
    if (terms.length) for (const fold of document.querySelectorAll(".why > details, details.more")) fold.open = true;
    const shown = goalRows.filter((row) => !row.hidden).length;
    found.textContent = shown === goalRows.length ? "" : shown + " of " + goalRows.length + " goals";
  };
  const show = (status) => {
    wanted = status;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.show === status));
    apply();
  };
  const showAll = () => { search.value = ""; show("all"); };

  // Sorting by a column, up and then down.
  const order = new Intl.Collator("en", { numeric: true });
  const sort = (table, column, heads) => {
    const down = heads[column].getAttribute("aria-sort") === "ascending";
    for (const head of heads) head.removeAttribute("aria-sort");
    heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...table.tBodies[0].rows];
    const key = (row) => (row.cells[column] ? row.cells[column].textContent : "");
    rows.sort((one, other) => order.compare(key(one), key(other)) * (down ? -1 : 1));
    table.tBodies[0].append(...rows);
  };
  for (const table of document.querySelectorAll("table.list")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sort(table, column, heads));
    });
  }

  // Keys: / searches, Escape shows everything again, n and p go from one goal that is not covered to the next.
  const step = (by) => {
    const rows = goalRows.filter((row) => !row.hidden && row.dataset.status !== "covered");
    if (rows.length === 0) return;
    const here = rows.findIndex((row) => "#" + row.id === decodeURIComponent(location.hash));
    const next = here < 0 ? (by > 0 ? 0 : rows.length - 1) : (here + by + rows.length) % rows.length;
    location.hash = encodeURIComponent(rows[next].id);
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") { showAll(); search.blur(); return; }
    if (event.target.closest("input, textarea, select")) return;
    if (event.key === "/") { event.preventDefault(); search.focus(); }
    if (event.key === "n") step(1);
    if (event.key === "p") step(-1);
  });

  if (grid) {
    drawGrid();
    lightColumn();
    grid.style.setProperty("--row-head", grid.querySelector(".corner").offsetWidth + "px");
  }
  search.addEventListener("input", apply);
  for (const button of buttons) button.addEventListener("click", () => show(button.dataset.show));
  // What is folded is opened by a link to it, and for paper.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.hidden) { showAll(); target.scrollIntoView(); }
    const fold = target.closest("details");
    if (fold) fold.open = true;
  };
  addEventListener("hashchange", reveal);
  addEventListener("beforeprint", () => { for (const fold of document.querySelectorAll("details")) fold.open = true; });
  document.documentElement.dataset.ready = "yes";
})();
