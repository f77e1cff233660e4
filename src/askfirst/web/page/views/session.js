// One session: what it ran, asked, changed, was denied and has seen.

import { el, prose } from "/dom.js";
import { act, got, heading, pill, table } from "/views/parts.js";
import { nameOf, plural, when } from "/words.js";

const MAX_OPEN = 20; // rows of a section that are shown at once

export async function sessionView(box, page, id) {
  const found = await got(page, "/api/agent-session", { id });
  const again = () => sessionView(box, page, id);
  const words = `${found.agent || "An agent"} in ${nameOf(found.project)}, ${when(found.began)} to ${when(found.ended)}`;
  box.replaceChildren(heading(`Session ${found.session.slice(0, 8)}`, words),
    found.changes.length ? el("section", {}, el("h2", {}, `Changed (${found.changes.length})`), table(["When", "How", "Files", ""], found.changes.map((change) => [
      when(change.at), pill(change.how), [el("code", { translate: "no" }, change.files.join("\n")), change.more ? ` and ${change.more} more` : ""],
      change.undone ? pill("undone") : act(page, "Undo", "/api/undo-change", { session: id, id: change.id }, again, "undo"),
    ]))) : "",
    ...found.sections.map(({ title, rows }) => el("section", { class: "panel" }, el("h2", {}, `${title} (${rows.length})`), list(rows.slice(0, MAX_OPEN)),
      rows.length > MAX_OPEN ? el("details", {}, el("summary", {}, plural(rows.length - MAX_OPEN, "more row")), list(rows.slice(MAX_OPEN))) : null)));
}

function list(rows) {
  return el("ul", { class: "plain" }, rows.map((text) => el("li", {}, prose(text))));
}
