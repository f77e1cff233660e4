// The other views: history, grants with undo, the log with filters.

import { el, when } from "/dom.js";

export function historyView(box, answered) {
  if (!answered.length) return box.replaceChildren(el("p", { class: "empty" }, "Nothing was answered since this page was opened."));
  box.replaceChildren(table(["when", "answer", "by", "what"], [...answered].reverse().map((entry) =>
    [when(entry.at), entry.state, entry.by || "", entry.command])));
}

export async function grantsView(box, api) {
  const { grants } = await api.get("/api/grants");
  if (!grants.length) return box.replaceChildren(el("p", { class: "empty" }, "No grants are in force."));
  const rows = grants.map((grant) => [
    grant.id.slice(0, 6), grant.duration, grant.scope, grant.project, when(grant.created), String(grant.uses),
    el("button", { type: "button", class: "deny", on: { click: async (event) => {
      event.target.disabled = true;
      await api.post("/api/revoke", { id: grant.id });
      await grantsView(box, api);
    } } }, "Undo"),
  ]);
  box.replaceChildren(table(["id", "for", "covers", "project", "given", "used", ""], rows));
}

export function logView(box, api) {
  const text = el("input", { type: "search", placeholder: "text", "aria-label": "text" });
  const decision = el("select", { "aria-label": "decision" }, ["", "allow", "ask", "deny"].map((value) => el("option", { value }, value || "any decision")));
  const layer = el("select", { "aria-label": "layer" },
    ["", "hardcoded_block", "org_block", "org_allow", "builtin_allow", "project_allow", "grant", "nothing"].map((value) => el("option", { value }, value.replaceAll("_", " ") || "any layer")));
  const rows = el("div");
  const load = async () => {
    const query = new URLSearchParams({ text: text.value, decision: decision.value, layer: layer.value });
    const { records } = await api.get(`/api/log?${query}`);
    rows.replaceChildren(records.length
      ? table(["when", "decision", "agent", "what", "by"], records.map((r) => [when(r.time), r.decision, r.agent, r.text, r.by]))
      : el("p", { class: "empty" }, "No record fits."));
  };
  for (const control of [text, decision, layer]) control.addEventListener("change", load);
  box.replaceChildren(el("form", { class: "filters", on: { submit: (event) => { event.preventDefault(); load(); } } }, text, decision, layer, el("button", {}, "Show")), rows);
  return load();
}

function table(names, rows) {
  return el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, names.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell) => el("td", {}, cell)))))));
}
