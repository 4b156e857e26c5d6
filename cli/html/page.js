"use strict";
// Comforts only: everything on the page can be read without them.
const button = document.getElementById("open-all");
button.hidden = false;
button.addEventListener("click", () => {
  const open = button.getAttribute("aria-pressed") !== "true";
  document.querySelectorAll("details").forEach((one) => { one.open = open; });
  button.setAttribute("aria-pressed", String(open));
});
addEventListener("beforeprint", () => {
  document.querySelectorAll("details.references, details.corrected").forEach((one) => { one.open = true; });
});
// A click on marked words leads to the worst of their claims; whoever selects words is left alone.
document.addEventListener("click", (event) => {
  const mark = event.target.closest("mark");
  if (mark && getSelection().isCollapsed) location.hash = mark.dataset.claims.split(" ")[0];
});
// All words of a claim light up while the pointer or the focus is on its card or its number.
const light = (event) => {
  const from = event.target.closest(".claim, .chip");
  const id = from && (from.id || from.hash.slice(1)).replace("-mark", "");
  document.querySelectorAll("mark.lit").forEach((one) => one.classList.remove("lit"));
  if (id) document.querySelectorAll(`mark[data-claims~="${id}"]`).forEach((one) => one.classList.add("lit"));
};
// Where the text scrolls by itself, it follows to the claim that was gone to.
const follow = () => {
  const mark = document.querySelector(`mark[data-claims~="${CSS.escape(location.hash.slice(1))}"]`);
  const column = mark && mark.closest(".text-column");
  if (!column || column.scrollHeight <= column.clientHeight) return;
  const above = mark.getBoundingClientRect().top - column.getBoundingClientRect().top;
  if (above < 0 || above > column.clientHeight - 60) column.scrollTop += above - column.clientHeight / 3;
};
addEventListener("hashchange", follow);
follow();
document.addEventListener("mouseover", light);
document.addEventListener("focusin", light);
