// Runs inside a report: says what is wrong with it, a line each.
const wrong = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const boxes = [];
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const parent = node.parentElement;
  if (!node.textContent.trim() || parent.closest("script, .wide")) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  for (const box of range.getClientRects()) {
    if (box.width > 0) boxes.push({ box, text: node.textContent.trim(), svg: parent.closest("svg") });
  }
}
const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 3 || b.bottom <= a.top + 3;
boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => {
  if (!apart(a.box, b.box)) wrong.push(`overlap: ${a.text} | ${b.text}`);
}));
for (const { box, text, svg } of boxes.filter(each => each.svg)) {
  const around = svg.getBoundingClientRect();
  if (box.left < around.left - 1 || box.right > around.right + 1) wrong.push(`cut: ${text}`);
}
const small = boxes.filter(each => each.box.height < 10);
if (small.length) wrong.push(`small: ${small[0].text}`);
if (document.documentElement.scrollWidth > innerWidth) wrong.push(`wide: ${document.documentElement.scrollWidth}`);
const heads = [...document.querySelectorAll("#all th")];
const column = heads.findIndex(each => each.textContent === "seconds_median");
const values = () => [...document.querySelectorAll("#all tbody tr")].map(row => Number(row.cells[column].textContent));
const sorted = order => values().every((each, i, all) => i === 0 || order * (each - all[i - 1]) >= 0);
if (sorted(1) || sorted(-1)) wrong.push("the table is sorted before");
heads[column].firstElementChild.click();
if (!sorted(1)) wrong.push("not ascending");
heads[column].firstElementChild.click();
if (!sorted(-1)) wrong.push("not descending");
if (csv().split("\n")[0] !== heads.map(each => each.textContent).join(",")) wrong.push("no CSV: " + csv().slice(0, 80));
parent.postMessage(`checked ${boxes.length} texts\n` + wrong.join("\n"), "*");
