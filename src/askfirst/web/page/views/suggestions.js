// Entries that would have saved prompts, each with what speaks for and against it.

import { button, el } from "/dom.js";
import { confirmChange, empty, got, heading } from "/views/parts.js";
import { nameOf, plural } from "/words.js";

export async function suggestionsView(box, page, chosen) {
  const { projects } = await got(page, "/api/projects");
  const current = projects.find(({ raw }) => raw === chosen) || projects[0];
  const change = (event) => { location.hash = `#/suggestions/${encodeURIComponent(event.target.value)}`; };
  const list = el("div", {}, el("p", { class: "hint" }, "Looking through the log…"));
  box.replaceChildren(heading("Suggestions", "Entries that would have answered what you were asked in the last 30 days"),
    projects.length ? el("label", { class: "picker" }, "Project ", el("select", { on: { change } }, projects.map(({ project, raw }) =>
      el("option", { value: raw, selected: raw === current.raw }, `${nameOf(project)} (${project})`)))) : "", list);
  const nothing = empty("Nothing to suggest", "No single entry would have saved a prompt.");
  if (!current) return list.replaceChildren(nothing);
  const { suggestions } = await got(page, "/api/suggestions", { project: current.raw });
  const again = () => suggestionsView(box, page, chosen);
  return list.replaceChildren(suggestions.length ? el("ul", { class: "suggestions" }, suggestions.map((one) => el("li", { class: "panel" },
    el("pre", { class: "entry", translate: "no" }, one.entry),
    el("p", {}, el("strong", {}, `Saves ${plural(one.prompts_saved, "prompt")}`), ", for example:"),
    el("ul", { class: "examples" }, one.examples.map((text) => el("li", {}, el("code", { translate: "no" }, text)))),
    one.also.length ? el("p", { class: "note" }, "It would also have allowed what you denied or did not answer: ", el("code", {}, one.also.join("; "))) : null,
    button("Add to the rule file", () => confirmChange(page, "Add the entry", "/api/add-entry", { project: current.raw, entry: one.raw }, again), { class: "small" })))) : nothing);
}
