"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const signs = { covered: "●", infeasible: "∅", infeasible_up_to: "≤", only_undefined: "!", unknown: "?" };
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
    head.title = goal.id + ": " + goal.label;
    element(head, "i", "", signs[goal.status]);
    link(element(head, "b"), "goal", goal.id);
    head.append(" " + goal.text);
    if (goal.tests.length === 0) {
      const cell = element(row, "td", "none " + goal.status);
      cell.colSpan = data.tests.length + 1;
      const words = goal.status === "unknown" ? "open" : goal.status.replaceAll("_", " ");
      const text = goal.reason ? words + ": " + goal.reason : words;
      element(cell, "span", "", text.length < 170 ? text : text.slice(0, 169) + "…").title = text;
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

  const buttons = document.querySelectorAll("nav button");
  const show = (wanted) => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.show === wanted));
    for (const row of document.querySelectorAll("tr[data-status]")) {
      row.hidden = wanted !== "all" && row.dataset.status !== wanted;
    }
  };

  if (grid) {
    drawGrid();
    lightColumn();
    grid.style.setProperty("--row-head", grid.querySelector(".corner").offsetWidth + "px");
  }
  for (const button of buttons) button.addEventListener("click", () => show(button.dataset.show));
  // A link to a goal that the filter hides shows all goals again.
  addEventListener("hashchange", () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.hidden) { show("all"); target.scrollIntoView(); }
  });
  document.documentElement.dataset.ready = "yes";
})();
