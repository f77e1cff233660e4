// What the views share: tables, pills, a change that is shown before it is made.

import { Diff } from "/diff.js";
import { button, el } from "/dom.js";

export function heading(title, words = "", ...more) {
  return el("header", { class: "view-head" }, el("div", {}, el("h1", {}, title), words ? el("p", { class: "hint" }, words) : null), more);
}

export function pill(text, kind = "") {
  return el("span", { class: `pill ${kind}` }, text);
}

export function empty(title, words = "") {
  return el("div", { class: "empty small" }, el("h2", {}, title), words ? el("p", {}, words) : null);
}

export function table(columns, rows) {
  return el("div", { class: "table-scroll", role: "region", tabindex: "0", "aria-label": "Table" }, el("table", { class: "table" },
    el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name || el("span", { class: "visually-hidden" }, "Actions"))))),
    el("tbody", {}, rows.map((cells) => row(columns, cells)))));
}

// On a narrow screen a row is a block, and each cell says what it is.
export function row(columns, cells) {
  return el("tr", {}, cells.map((cell, at) => el("td", { "data-name": columns[at] }, cell)));
}

export function choice(label, options, value = "") {
  return el("select", { "aria-label": label }, options.map(([key, words]) => el("option", { value: key, selected: key === value }, words)));
}

export async function got(page, path, query) {
  const found = await page.link.get(path, query);
  if (!found.ok) throw new Error(found.lost ? "No connection. Open this view again once the page is live." : found.error);
  return found;
}

// One thing that is taken back with one click; what happened is said.
export function act(page, words, path, body, again, kind = "") {
  return button(words, async (event) => {
    event.target.disabled = true;
    const result = await page.link.post(path, body);
    page.announce(result.ok ? `${words}: done` : result.error, !result.ok);
    if (result.ok) await again();
    else event.target.disabled = false;
  }, { class: `small ${kind}` });
}

// The change first, as the very text that would be written; then, bound to it, the change itself.
export async function confirmChange(page, title, path, body, done) {
  const found = await page.link.post(path, body);
  if (!found.ok) return page.announce(found.error, true);
  const diff = new Diff(found.rows, { name: found.file });
  const dialog = el("dialog", { class: "change", "aria-labelledby": "change-title" });
  const write = button("Write it", async () => {
    const result = await page.link.post(path, { ...body, old: found.old, new: found.new });
    dialog.close();
    page.announce(result.ok ? `${title}: written` : result.error, !result.ok);
    if (result.ok) await done();
  }, { class: "primary" });
  const note = found.trusted ? "" : el("p", { class: "note" }, "This content is not trusted: nothing in it counts until you trust it.");
  dialog.append(el("h2", { id: "change-title" }, title), note, diff.node, el("div", { class: "row" }, write, button("Back", () => dialog.close(), { class: "quiet" })));
  dialog.addEventListener("close", () => { diff.close(); dialog.remove(); });
  document.body.append(dialog);
  dialog.showModal();
  return null;
}
