// The log, with filters, and whether its chain holds.

import { button, el } from "/dom.js";
import { choice, empty, got, heading, pill, row, table } from "/views/parts.js";
import { nameOf, plural, when } from "/words.js";

const COLUMNS = ["When", "Outcome", "What", "By"];
const LAYERS = {
  hardcoded_block: "hardcoded block",
  org_block: "organisation block",
  flow: "flow",
  org_allow: "organisation allow",
  builtin_allow: "built-in rules",
  project_allow: "project rules",
  grant: "a person's grant",
  nothing: "no rule",
};
const KINDS = "verdict question answer grant revoke remember correction apply undo config pause alert violation".split(" ");

export async function logView(box, page) {
  const text = el("input", { type: "search", placeholder: "Text", "aria-label": "With this text" });
  const project = el("input", { type: "search", placeholder: "Project", "aria-label": "Of this project" });
  const decision = choice("Decision", [["", "Any decision"], ["allow", "allow"], ["contain", "contain"], ["ask", "ask"], ["deny", "deny"]]);
  const layer = choice("Decided by", [["", "Decided by anything"], ...Object.entries(LAYERS)]);
  const kind = choice("Kind", [["", "Every kind"], ...KINDS.map((name) => [name, name])]);
  const since = choice("Since", [["", "Any time"], ["1h", "Last hour"], ["1d", "Last day"], ["7d", "Last week"]]);
  const rows = el("div", { "aria-live": "polite" });
  const load = async (before = 0) => {
    const given = { text: text.value, project: project.value, decision: decision.value, layer: layer.value, kind: kind.value, since: since.value };
    const { records, more } = await got(page, "/api/log", before ? { ...given, before } : given);
    const cells = records.map(recordRow);
    if (before) rows.querySelector("tbody").append(...cells.map((one) => row(COLUMNS, one)));
    else rows.replaceChildren(records.length ? table(COLUMNS, cells) : empty("No record matches"));
    rows.querySelector(".older")?.remove();
    if (more) rows.append(button("Older", () => load(records[records.length - 1].seq), { class: "older" }));
  };
  let timer = 0;
  const controls = [text, project, decision, layer, kind, since];
  for (const control of controls) control.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(load, 250); });
  const submit = (event) => { event.preventDefault(); load(); };
  box.replaceChildren(heading("Log", "Every decision, in a chain that shows tampering", verifyPart(page)),
    el("form", { class: "filters", role: "search", on: { submit } }, controls), rows);
  await load();
}

function recordRow(record) {
  const text = el("code", { translate: "no" }, record.text);
  return [
    when(record.time),
    pill(record.outcome, record.severity === "critical" ? "critical" : record.decision),
    [record.id ? el("a", { href: `#/request/${record.id}` }, text) : text,
      el("div", { class: "hint" }, [record.project ? nameOf(record.project) : "", record.agent, record.session.slice(0, 8)].filter(Boolean).join(" · "))],
    record.by,
  ];
}

function verifyPart(page) {
  const said = el("div", { class: "verified", role: "status" });
  const verify = button("Verify the chain", async () => {
    verify.disabled = true;
    said.replaceChildren("Verifying…");
    const found = await page.link.get("/api/verify");
    verify.disabled = false;
    if (!found.ok) return said.replaceChildren(pill(found.error, "deny"));
    const words = `${plural(found.records, "record")} verify`;
    return said.replaceChildren(
      found.good ? pill(`✓ ${words}`, "allow") : pill(`✗ ${plural(found.problems.length, "problem")}`, "deny"),
      found.good ? el("code", { class: "hint", title: "Keep it elsewhere: only then a log that was cut off is noticed" }, `head ${found.head.slice(0, 16)}…`) : el("ul", {}, found.problems.map((problem) => el("li", {}, problem))));
  }, { class: "small" });
  return el("div", { class: "verify" }, said, verify);
}
