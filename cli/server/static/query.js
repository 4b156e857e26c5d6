"use strict";
// Completion of names in the query: three letters of a name, arrow keys and Enter.
const field = document.getElementById("query"), list = document.getElementById("names"), kg = document.getElementById("kg");
let found = [], chosen = -1, asked = 0, timer = 0;
// The last words of the text before the cursor, at most four; no variable, no name with a prefix, no keyword alone.
const word = () => {
  const before = field.value.slice(0, field.selectionStart);
  const match = /(?:^|[\s{(|/])((?:[^\s{}()<>;.,?$:"'|/]+ ){0,3}[^\s{}()<>;.,?$:"'|/]{3,})$/.exec(before);
  return match && !/^(select|distinct|where|limit|offset|optional|filter|service|union|prefix|construct|describe|order by|group by)\b/i.test(match[1]) ? match[1] : "";
};
function close() {
  found = [];
  chosen = -1;
  list.hidden = true;
  field.setAttribute("aria-expanded", "false");
  field.removeAttribute("aria-activedescendant");
}
function choose(step) {
  chosen = (chosen + step + found.length) % found.length;
  [...list.children].forEach((one, i) => one.setAttribute("aria-selected", String(i === chosen)));
  field.setAttribute("aria-activedescendant", `name-${chosen}`);
  list.children[chosen].scrollIntoView({ block: "nearest" });
}
function insert(i) {
  const match = word();
  if (match) field.setRangeText(`${found[i].name} `, field.selectionStart - match.length, field.selectionStart, "end");
  close();
  field.focus();
}
async function ask() {
  const match = word(), mine = ++asked;
  if (!match) { close(); return; }
  const response = await fetch(`/page/complete?${new URLSearchParams({ q: match, kg: kg.value })}`);
  if (!response.ok || mine !== asked) return;
  found = await response.json();
  list.replaceChildren(...found.map((one, i) => {
    const item = document.createElement("li"), name = document.createElement("code"), about = document.createElement("span");
    item.id = `name-${i}`;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    name.textContent = one.name;
    about.textContent = ` ${one.label}${one.about ? ` (${one.about})` : ""}`;
    item.append(name, about);
    item.addEventListener("mousedown", (event) => { event.preventDefault(); insert(i); });
    return item;
  }));
  chosen = -1;
  list.hidden = !found.length;
  field.setAttribute("aria-expanded", String(found.length > 0));
}
field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 150); });
field.addEventListener("blur", close);
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); field.form.requestSubmit(); }
  else if (list.hidden) return;
  else if (event.key === "ArrowDown") { event.preventDefault(); choose(1); }
  else if (event.key === "ArrowUp") { event.preventDefault(); choose(chosen < 0 ? 0 : -1); }
  else if ((event.key === "Enter" || event.key === "Tab") && chosen >= 0) { event.preventDefault(); insert(chosen); }
  else if (event.key === "Escape") close();
});
