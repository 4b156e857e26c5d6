"use strict";
// The page for checking texts. What comes from the server as HTML was escaped there; all else is set as text.
const at = (id) => document.getElementById(id);
const made = (tag, text, name) => {
  const one = document.createElement(tag);
  if (text) one.textContent = text;
  if (name) one.className = name;
  return one;
};
const LABELS = ["attributable", "extrapolatory", "contradictory"];
let report = null, refused = new Set(), running = null, reports = [];

document.querySelectorAll(".scripted").forEach((one) => { one.hidden = false; });
const say = (text) => { at("state").textContent = text; };

// -- events of a stream ------------------------------------------------------------------------------------------
async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let kept = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    kept += value;
    for (let end; (end = kept.indexOf("\n\n")) >= 0; kept = kept.slice(end + 2)) {
      const [name, data] = kept.slice(0, end).split("\n");
      yield [name.slice(7), JSON.parse(data.slice(6))];
    }
  }
}
const failed = async (response) => {
  const found = await response.json().catch(() => null);
  return new Error(found ? found.error.message : `the server answers ${response.status}`);
};

// -- a text ------------------------------------------------------------------------------------------------------
async function check(text) {
  if (running) running.abort();
  running = new AbortController();
  const mine = running;
  at("stop").hidden = false;
  say("Reading ..");
  const first = made("div", "", "coming");
  const shown = made("div", text, "text");
  shown.dir = "auto";
  const list = made("ul");
  list.setAttribute("aria-label", "Verdicts so far");
  first.append(made("h2", "Verdicts so far"), shown, list);
  at("result").replaceChildren(first);
  let ranges = [], sentences = 0, drawn = false;
  const draw = () => { drawn = false; mark(shown, text, ranges); };
  const told = (data) => {
    const old = (start) => data.start <= start && start < data.end;
    const all = [...list.children], next = all.find((one) => Number(one.dataset.start) >= data.end);
    all.filter((one) => old(Number(one.dataset.start))).forEach((one) => one.remove());
    if (next) next.insertAdjacentHTML("beforebegin", data.html); else list.insertAdjacentHTML("beforeend", data.html);
    ranges = [...ranges.filter((one) => !old(one.start)), ...data.claims];
    if (!drawn) { drawn = true; requestAnimationFrame(draw); }
    say(`${counted(sentences, "sentence")} read, ${counted(list.children.length, "verdict")} so far`);
  };
  try {
    const against = at("against") ? at("against").value : "";
    const response = await fetch("/page/verify", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ text, kg: at("kg").value, ...(against ? { against } : {}) }),
      signal: mine.signal,
    });
    if (!response.ok) throw await failed(response);
    for await (const [name, data] of events(response)) {
      if (name === "part") { sentences += 1; told(data); }
      else if (name === "update") told(data);
      else if (name === "report") show(data);
      else if (name === "compared") {
        const box = made("div");
        box.innerHTML = data.html;
        at("result").prepend(box);
      } else throw new Error(data.error.message);
    }
    return report;
  } catch (error) {
    say(error.name === "AbortError" ? "Stopped." : `Not checked: ${error.message}`);
    return null;
  } finally {
    if (running === mine) { running = null; at("stop").hidden = true; }
  }
}
// Offsets count characters; a string of JavaScript counts halves of some.
function mark(box, text, claims) {
  const points = [...text], worst = new Array(points.length).fill(-1);
  for (const one of claims) {
    for (let i = one.start; i < one.end; i++) worst[i] = Math.max(worst[i], LABELS.indexOf(one.label));
  }
  box.replaceChildren();
  for (let i = 0; i < points.length;) {
    let end = i + 1;
    while (end < points.length && worst[end] === worst[i]) end++;
    const piece = points.slice(i, end).join("");
    box.append(worst[i] < 0 ? piece : made("mark", piece, LABELS[worst[i]]));
    i = end;
  }
}
const counted = (many, word) => `${many} ${word}${many === 1 ? "" : "s"}`;
const claims = () => counted(report.claims.length, "claim");
const wrong = () => report.claims.filter((one) => one.label === "contradictory").length;
function show(data) {
  report = data.report;
  refused = new Set();
  at("result").innerHTML = data.html;
  at("result").querySelectorAll(".scripted").forEach((one) => { one.hidden = false; });
  at("check").classList.add("done");
  say(`${claims()}, ${wrong()} contradicted. Keys: ?`);
  correct();
}

// -- corrections -------------------------------------------------------------------------------------------------
function edits() {
  const kept = [];
  const offered = report.claims.map((one, i) => ({ ...one.correction, sure: one.confidence, i }))
    .filter((one) => one.text !== undefined && !refused.has(one.i)).sort((a, b) => b.sure - a.sure);
  for (const one of offered) {
    if (kept.every((other) => one.end <= other.start || other.end <= one.start)) kept.push(one);
  }
  return kept.sort((a, b) => a.start - b.start);
}
function corrected() {
  const points = [...report.text];
  let text = "", done = 0;
  for (const one of edits()) {
    text += points.slice(done, one.start).join("") + one.text;
    done = one.end;
  }
  return text + points.slice(done).join("");
}
function correct() {
  const box = at("corrected-text");
  if (!box) return;
  const points = [...report.text], kept = edits();
  let done = 0;
  box.replaceChildren();
  for (const one of kept) {
    box.append(points.slice(done, one.start).join(""), made("del", points.slice(one.start, one.end).join("")), made("ins", one.text));
    done = one.end;
  }
  box.append(points.slice(done).join(""));
  at("corrected-count").textContent = `${counted(kept.length, "correction")} accepted`;
}
// The corrected text in place of the first one: what is still wrong with it?
async function again() {
  const before = wrong(), text = corrected();
  at("text").value = text;
  at("batch").hidden = true;
  if (await check(text)) say(`The corrected text: ${claims()}, ${wrong()} contradicted; ${before} before.`);
}
function decide(card, accept) {
  const box = card.querySelector(".actions");
  const buttons = box && box.querySelectorAll("[data-do]");
  if (!buttons || !buttons.length) return;
  const i = Number(box.dataset.number) - 1;
  if (accept) refused.delete(i); else refused.add(i);
  buttons.forEach((one) => one.setAttribute("aria-pressed", String((one.dataset.do === "accept") === accept)));
  correct();
}
function save(name, text, type) {
  const link = made("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// -- reviews -----------------------------------------------------------------------------------------------------
async function review(button) {
  const box = button.closest(".actions"), number = Number(box.dataset.number);
  const response = await fetch("/review", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      text: report.text, kg: at("kg").value, claim: number, verdict: report.claims[number - 1].label,
      label: button.dataset.mark, by: at("by").value,
    }),
  });
  if (!response.ok) { say(`Not kept: ${(await failed(response)).message}`); return; }
  const found = await response.json();
  box.querySelectorAll("[data-mark]").forEach((one) => one.setAttribute("aria-pressed", String(one === button)));
  box.querySelector(".reviewed").textContent = `reviewed by ${found.by}, just now`;
  at("measure").textContent = found.measure;
  say(`Claim ${number}: the review is kept.`);
}

// -- walking the graph -------------------------------------------------------------------------------------------
async function walk(url) {
  const response = await fetch(url, { headers: { "X-Part": "1" } });
  const body = at("walk-body");
  if (response.ok) body.innerHTML = await response.text();
  else body.textContent = (await failed(response)).message;
  if (!at("walk").open) at("walk").showModal();
  body.scrollTop = 0;
  at("walk").focus();
}
document.addEventListener("submit", (event) => {
  if (event.target.matches(".walk-form")) {
    event.preventDefault();
    walk(`/path?${new URLSearchParams(new FormData(event.target))}`);
  } else if (event.target.id === "check") {
    event.preventDefault();
    start();
  }
});

// -- files and batches -------------------------------------------------------------------------------------------
async function start() {
  const file = at("file").files[0];
  if (file) await take(file);
  else if (at("text").value.trim()) { at("batch").hidden = true; await check(at("text").value); }
  else { say("There is no text: paste one, or choose a file."); at("text").focus(); }
}
async function take(file) {
  say(`Reading ${file.name} ..`);
  const form = new FormData();
  form.append("file", file);
  const response = await fetch("/page/extract", { method: "POST", body: form });
  at("file").value = "";
  if (!response.ok) { say(`Not read: ${(await failed(response)).message}`); return; }
  const found = await response.json();
  if (found.batch) { await batch(found.texts); return; }
  at("batch").hidden = true;
  at("text").value = found.texts[0].text;
  await check(found.texts[0].text);
}
async function batch(texts) {
  const table = made("table", "", "rows"), head = made("tr"), body = made("tbody");
  ["text", ...LABELS].forEach((name) => { const cell = made("th", name); cell.scope = "col"; head.append(cell); });
  table.append(made("thead"), body);
  table.tHead.append(head);
  const out = made("button", "Save all reports");
  out.type = "button";
  at("batch").replaceChildren(made("h2", `${texts.length} texts`), table, out);
  at("batch").hidden = false;
  reports = [];
  out.addEventListener("click", () => save("reports.jsonl", reports.map((one) => JSON.stringify(one) + "\n").join(""), "application/x-ndjson"));
  for (const one of texts) {
    const found = await check(one.text);
    if (!found) return;
    const kept = { ...found, id: one.id }, row = made("tr"), name = made("th"), open = made("button", String(one.id));
    reports.push(kept);
    name.scope = "row";
    open.type = "button";
    open.addEventListener("click", () => { at("text").value = one.text; check(one.text); });
    name.append(open);
    row.append(name, ...LABELS.map((label) => made("td", String(found.claims.filter((claim) => claim.label === label).length))));
    body.append(row);
  }
  say(`${texts.length} texts checked.`);
}
const drop = at("drop");
drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  drop.classList.remove("over");
  if (event.dataTransfer.files.length) { event.preventDefault(); take(event.dataTransfer.files[0]); }
});

// -- clicks and keys ---------------------------------------------------------------------------------------------
const cards = () => [...document.querySelectorAll("#claims .claim")];
const here = () => document.activeElement.closest && document.activeElement.closest("#claims .claim");
function go(step) {
  const all = cards(), found = all[Math.min(all.length - 1, Math.max(0, here() ? all.indexOf(here()) + step : 0))];
  if (found) { found.focus(); found.scrollIntoView({ block: "nearest" }); }
}
document.addEventListener("click", (event) => {
  const link = event.target.closest("a.walk"), button = event.target.closest("button"), word = event.target.closest("mark[data-claims]");
  if (link && !event.ctrlKey && !event.metaKey) { event.preventDefault(); walk(link.getAttribute("href")); }
  else if (button && button.dataset.do) decide(button.closest(".claim"), button.dataset.do === "accept");
  else if (button && button.dataset.mark) review(button);
  else if (button && button.classList.contains("close")) button.closest("dialog").close();
  else if (button && button.id === "stop" && running) running.abort();
  else if (button && button.id === "help-open") at("help").showModal();
  else if (button && button.id === "copy") navigator.clipboard.writeText(corrected()).then(() => say("Copied."), () => say("The browser does not let this page copy: use Save."));
  else if (button && button.id === "save") save("corrected.txt", corrected(), "text/plain");
  else if (button && button.id === "recheck") again();
  else if (button && button.id === "save-report") save("report.json", JSON.stringify(report, null, 2), "application/json");
  else if (word && getSelection().isCollapsed) at(word.dataset.claims.split(" ")[0]).focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.id === "text") { event.preventDefault(); start(); return; }
  if (event.target.matches("textarea, input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  const card = here(), press = (select) => { const one = card && card.querySelector(select); if (one) one.click(); };
  if (event.key === "j") go(1);
  else if (event.key === "k") go(-1);
  else if (event.key === "?") at("help").showModal();
  else if (event.key === "/") { event.preventDefault(); at("text").focus(); }
  else if (!card) return;
  else if (event.key === "Enter" && event.target === card) {
    const all = [...card.querySelectorAll("details")], open = !all.some((one) => one.open);
    all.forEach((one) => { one.open = open; });
  } else if (event.key === "t") press(".confidence a");
  else if (event.key === "g") press("a.walk");
  else if (event.key === "a") decide(card, true);
  else if (event.key === "x") decide(card, false);
  else if (event.key === "r") press("[data-mark]");
  else if (event.key === "w") press("[data-mark]:nth-of-type(2)");
});
const light = (event) => {
  const card = event.target.closest(".claim, .chip"), id = card && (card.id || card.hash.slice(1)).replace("-mark", "");
  document.querySelectorAll("mark.lit").forEach((one) => one.classList.remove("lit"));
  if (id) document.querySelectorAll(`mark[data-claims~="${id}"]`).forEach((one) => one.classList.add("lit"));
};
document.addEventListener("mouseover", light);
document.addEventListener("focusin", light);
