// The other views: history with undo, grants in force, the log with filters, a team's figures.

import { el, prose, when } from "/dom.js";

const STATES = {
  once: "allow", session: "allow", timed: "allow", permanent: "allow", denied: "deny", expired: "deny", cancelled: "",
};
const LAYERS = {
  hardcoded_block: "hardcoded block",
  org_block: "organisation block",
  org_allow: "organisation allow",
  builtin_allow: "built-in rules",
  project_allow: "project rules",
  grant: "a person's grant",
  nothing: "no rule",
};
const KINDS = ["verdict", "question", "answer", "grant", "revoke", "remember", "correction", "apply", "config", "alert", "violation"];

export async function historyView(box, api) {
  const { answers } = await api.get("/api/history");
  if (!answers.length) return box.replaceChildren(empty("No answers yet."));
  box.replaceChildren(table(["when", "answer", "what", "by", ""], answers.map((entry) => [
    when(entry.at),
    pill([entry.state, entry.merge].filter(Boolean).join(", "), STATES[entry.state]),
    what(entry.text, entry.project),
    entry.by + (entry.reason ? `: ${entry.reason}` : ""),
    entry.grants.length ? undo(entry.grants, api, () => historyView(box, api)) : "",
  ])));
}

export async function grantsView(box, api) {
  const { grants } = await api.get("/api/grants");
  if (!grants.length) return box.replaceChildren(empty("No grants in force."));
  box.replaceChildren(table(["for", "covers", "given", "until", "used", ""], grants.map((grant) => [
    pill(grant.duration, "allow"),
    [el("code", {}, grant.text), el("div", { class: "hint" }, prose(grant.scope), ` · ${grant.project}`)],
    when(grant.created),
    grant.until ? when(grant.until) : grant.duration === "session" ? "the session ends" : "",
    String(grant.uses),
    undo([grant.id], api, () => grantsView(box, api)),
  ])));
}

export function logView(box, api) {
  const text = el("input", { type: "search", placeholder: "text", "aria-label": "with this text" });
  const project = el("input", { type: "search", placeholder: "project", "aria-label": "of this project" });
  const decision = choose("decision", [["", "any decision"], ["allow", "allow"], ["ask", "ask"], ["deny", "deny"]]);
  const layer = choose("layer", [["", "any layer"], ...Object.entries(LAYERS)]);
  const kind = choose("kind", [["", "every kind"], ...KINDS.map((k) => [k, k])]);
  const since = choose("since", [["", "any time"], ["1h", "last hour"], ["1d", "last day"], ["7d", "last week"]]);
  const rows = el("div", { "aria-live": "polite" });
  const load = async (before = 0) => {
    const given = {
      text: text.value,
      project: project.value,
      decision: decision.value,
      layer: layer.value,
      kind: kind.value,
      since: since.value,
      before,
    };
    const { records, more } = await api.get(`/api/log?${new URLSearchParams(given)}`);
    const colour = (r) => (r.severity === "critical" ? "critical" : r.decision);
    const shown = records.map((r) => [when(r.time), pill(r.outcome, colour(r)), what(r.text, r.project), r.by]);
    const columns = ["when", "decision", "what", "by"];
    if (!before) rows.replaceChildren(records.length ? table(columns, shown) : empty("No record matches."));
    else rows.querySelector("tbody").append(...shown.map(row));
    rows.querySelector(".older")?.remove();
    const older = () => load(records[records.length - 1].seq);
    if (more) rows.append(el("button", { type: "button", class: "older", on: { click: older } }, "Older"));
  };
  let timer = 0;
  const soon = () => { clearTimeout(timer); timer = setTimeout(load, 250); };
  const controls = [text, project, decision, layer, kind, since];
  for (const control of controls) control.addEventListener("input", soon);
  const submit = (event) => { event.preventDefault(); load(); };
  box.replaceChildren(el("form", { class: "filters", role: "search", on: { submit } }, controls), rows);
  return load();
}

export async function teamView(box, api) {
  const found = await api.get("/api/team?days=30");
  if (found.error) return box.replaceChildren(empty(found.error));
  const groups = [["who asked", found.askers], ["who answered", found.answerers], ["what was asked most", found.texts]];
  const most = Math.max(1, ...groups.flatMap(([, lines]) => lines.map((line) => line.count)));
  const columns = ["requests", "allowed", "denied", "unanswered", "median", "slowest"];
  const cells = (line) => [el("code", {}, line.name), bars(line, most), ...[line.count, line.allowed, line.denied,
    line.unanswered].map(String), `${line.median_s} s`, `${line.slowest_s} s`];
  box.replaceChildren(
    el("p", {}, `${found.total.count} requests in ${found.days} days: ${found.total.allowed} allowed, ` +
      `${found.total.denied} denied, ${found.total.unanswered} not answered`),
    ...groups.flatMap(([title, lines]) => [el("h2", {}, title),
      lines.length ? table([title, "share", ...columns], lines.map(cells)) : empty("Nobody yet.")]));
}

// Allowed, denied and unanswered as one bar; the columns beside it say the same in figures.
function bars(line, most) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const set = (node, values) => { for (const [name, value] of Object.entries(values)) node.setAttribute(name, value); };
  set(picture, { width: 160, height: 14, role: "img", "aria-label": `${line.allowed} allowed, ${line.denied} denied` });
  let x = 0;
  for (const kind of ["allowed", "denied", "unanswered"]) {
    const part = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const width = 160 * line[kind] / most;
    set(part, { x, y: 0, width, height: 14, class: `bar-${kind}` });
    picture.append(part);
    x += width;
  }
  return picture;
}

function choose(name, options) {
  return el("select", { "aria-label": name }, options.map(([value, words]) => el("option", { value }, words)));
}

function undo(ids, api, again) {
  return el("button", { type: "button", class: "undo", on: { click: async (event) => {
    event.target.disabled = true;
    for (const id of ids) {
      const result = await api.post("/api/revoke", { id });
      if (!result.ok) return event.target.replaceWith(el("span", { class: "hint", role: "alert" }, result.error));
    }
    await again();
  } } }, "Undo");
}

function what(text, project) {
  return [el("code", {}, text), project ? el("div", { class: "hint" }, project) : ""];
}

function pill(text, kind) {
  return el("span", { class: `pill ${kind || ""}` }, text);
}

function empty(text) {
  return el("div", { class: "empty" }, el("p", {}, text));
}

function row(cells) {
  return el("tr", {}, cells.map((cell) => el("td", {}, cell)));
}

function table(names, rows) {
  return el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, names.map((name) =>
      el("th", { scope: "col" }, name || el("span", { class: "visually-hidden" }, "undo"))))),
    el("tbody", {}, rows.map(row))));
}
