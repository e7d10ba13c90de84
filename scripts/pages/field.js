// SPDX-License-Identifier: MIT
// Draws the tables of the field report from the data in the page. Whatever a subject printed is set as text, never as HTML.
"use strict";
const field = JSON.parse(document.getElementById("data").textContent);
const byName = new Map(field.subjects.map((subject) => [subject.name, subject]));
const at = (id) => document.getElementById(id);

function make(name, text, attributes = {}, children = []) {
  const element = document.createElement(name);
  if (text !== null) element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const spaced = (hex) => hex === "-" ? "(nothing)" : hex.replace(/(..)(?=.)/g, "$1 ");
const pieces = (chunks) => chunks.split(",").map(spaced).join(" | ");
const codePoints = (text) => text === "-" ? "(nothing)" : text.split(",").map((one) => "U+" + one.padStart(4, "0")).join(" ");
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// The figures of a subject in one category, or in all of an encoding.
function figures(subject, column, encoding) {
  const sum = {passed: 0, failed: 0, skipped: 0};
  for (const [name, cases] of Object.entries(subject.categories))
    if (encoding === "" ? name.startsWith(column + "/") : name === `${encoding}/${column}`)
      for (const key of Object.keys(sum)) sum[key] += cases[key];
  return sum.passed + sum.failed > 0 ? sum : null;
}

const encodings = [...new Set(Object.keys(field.category_counts).map((name) => name.split("/")[0]))];
const encodingsAsked = encodings.filter((encoding) => field.subjects.some((subject) => figures(subject, encoding, "")));

function columnsOf(encoding) {
  if (encoding === "") return encodingsAsked;
  const names = Object.keys(field.category_counts).filter((name) => name.startsWith(encoding + "/")).map((name) => name.slice(encoding.length + 1));
  return names.filter((name) => field.subjects.some((subject) => figures(subject, name, encoding)));
}

function cellOf(subject, column, encoding) {
  const sum = figures(subject, column, encoding);
  if (sum === null) return make("td", "");
  const share = sum.failed / (sum.passed + sum.failed);
  const heat = sum.failed === 0 ? {class: "cell pass"} : {class: "cell", "data-heat": Math.min(5, 1 + Math.floor(share * 5))};
  const place = encoding === "" ? `#encoding=${column}` : `#cell=${subject.name}/${encoding}/${column}`;
  const words = `${subject.name}, ${column}: ${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`;
  const button = make("button", sum.failed === 0 ? "✓" : String(sum.failed), {...heat, type: "button", title: words, "aria-label": words});
  button.addEventListener("click", () => { location.hash = place; });
  return make("td", null, {}, [button]);
}

function nameOf(subject) {
  const words = subject.name.split(/(?<=_)/).flatMap((word) => [word, make("wbr", null)]); // a line may end after an underscore
  const button = make("button", null, {class: "link", type: "button", title: `${subject.implementation}, ${subject.version}`}, words);
  button.addEventListener("click", () => { location.hash = `#subject=${subject.name}`; });
  return make("th", null, {scope: "row"}, [button]);
}

function drawMatrix() {
  const wanted = at("filter").value.trim().toLowerCase(), encoding = at("encoding").value, columns = columnsOf(encoding);
  const rows = field.subjects.filter((subject) => (subject.name + " " + subject.implementation).toLowerCase().includes(wanted))
    .filter((subject) => columns.some((column) => figures(subject, column, encoding)))
    .filter((subject) => !at("failing").checked || columns.some((column) => (figures(subject, column, encoding) || {failed: 0}).failed > 0));
  const head = make("tr", null, {class: "turned"}, [make("th", "subject", {scope: "col"}), ...columns.map((column) => make("th", column, {scope: "col"}))]);
  const body = rows.map((subject) => make("tr", null, {}, [nameOf(subject), ...columns.map((column) => cellOf(subject, column, encoding))]));
  at("cells").replaceChildren(make("thead", null, {}, [head]), make("tbody", null, {}, body));
  at("shown").textContent = `${plural(rows.length, "subject")} of ${field.subjects.length}`;
}

// ---- behaviour

function takes(one) {
  if (one.asked === 0) return ["", false];
  return [one.accepted === 0 ? "none" : one.accepted === one.asked ? "all" : `${one.accepted} of ${one.asked}`, one.accepted > 0];
}

function kept(one) {
  if (one.asked === 0) return ["", false];
  return one.accepted === one.asked ? ["all", false] : [one.accepted === 0 ? "none" : `${one.accepted} of ${one.asked}`, true];
}

function signature(one) {
  const words = [];
  if (one.first !== null) words.push(one.first.startsWith("FEFF") ? "kept" : "removed");
  if (one.later !== null) words.push(one.later.includes("FEFF") ? "later kept" : "later lost");
  return [words.join(", "), words.includes("later lost")];
}

function cuts(one) {
  if (one.asked === 0) return ["", false];
  return one.same === one.asked ? ["none", false] : [`${one.asked - one.same} of ${one.asked}`, true];
}

function share(subject) {
  const part = subject.cases_asked / subject.cases_all;
  return subject.every === 1 ? "all" : part < 0.01 ? "under 1 %" : `${Math.floor(part * 100)} %`;
}

function profileWords(subject) {
  const rows = subject.profile.filter((row) => row.encoding === "utf-8");
  return rows.length > 0 ? rows.map((row) => row.profile).join(", ") : "verdicts only";
}

function leftOver(subject) {
  return subject.profile.filter((row) => row.encoding === "utf-8").reduce((sum, row) => sum + row.left_over, 0);
}

function drawBehaviour() {
  const names = ["subject", "profile", "left over", "share", "overlongs", "surrogates", "noncharacters", "U+FEFF", "cuts", "version"];
  const body = field.subjects.map((subject) => {
    const one = subject.behaviour, left = leftOver(subject);
    const words = [takes(one.overlongs), takes(one.surrogates), kept(one.noncharacters), signature(one.feff), cuts(one.cuts)];
    return make("tr", null, {}, [nameOf(subject), make("td", profileWords(subject)),
      make("td", subject.profile.length > 0 ? String(left) : "", {class: left > 0 ? "figure odd" : "figure"}), make("td", share(subject), {class: "figure"}),
      ...words.map(([text, isOdd]) => make("td", text, isOdd ? {class: "odd"} : {})), make("td", subject.version)]);
  });
  at("manners").replaceChildren(make("thead", null, {}, [make("tr", null, {}, names.map((name) => make("th", name, {scope: "col"})))]), make("tbody", null, {}, body));
}

// ---- inputs that two subjects read differently

function readingOf(name, index) {
  const row = field.readings.subjects[name];
  return {verdict: row.verdicts[index], text: row.texts[index]};
}

function readsDifferently(one, other) {
  return (one.verdict >= 0 && other.verdict >= 0 && one.verdict !== other.verdict) || (one.text >= 0 && other.text >= 0 && one.text !== other.text);
}

function readingWords(one) {
  const words = [];
  if (one.verdict >= 0) words.push(one.verdict ? "accepts" : "refuses");
  if (one.text >= 0) words.push("reads " + codePoints(field.readings.texts[one.text]));
  return words.join("; ");
}

const ALIKE_MAX = 3;

// Of inputs that both read as others before, only the first ALIKE_MAX.
function differencesOf(names) {
  const found = [], alike = new Map();
  field.readings.inputs.forEach((input, index) => {
    const both = names.map((name) => readingOf(name, index));
    if (!readsDifferently(...both)) return;
    const words = both.map(readingWords), key = [input.encoding, ...words].join("\n");
    alike.set(key, (alike.get(key) || 0) + 1);
    if (alike.get(key) <= ALIKE_MAX) found.push([input, words]);
  });
  return found;
}

function drawDifferences() {
  const names = [at("one").value, at("other").value], found = differencesOf(names);
  at("counted").textContent = found.length === 0 ? "no input of the vectors that both were asked" : plural(found.length, "input");
  const head = make("tr", null, {}, ["bytes", ...names].map((name) => make("th", name, {scope: "col"})));
  const body = found.map(([input, words]) => make("tr", null, {}, [make("td", null, {}, [make("code", pieces(input.pieces)), make("div", input.encoding, {class: "soft"})]),
    ...words.map((one) => make("td", one))]));
  at("differences").replaceChildren(...(found.length ? [make("thead", null, {}, [head]), make("tbody", null, {}, body)] : []));
}

// ---- what opens

function list(pairs) {
  return make("dl", null, {}, pairs.filter(([, value]) => value !== "" && value !== null).flatMap(([name, value]) => [make("dt", name), make("dd", value)]));
}

function failureList(failure) {
  const bytes = failure.asked.split(" ").pop();
  return list([["case", failure.id], ["what it is", failure.comment], ["bytes", /^[0-9A-F,;-]+$/.test(bytes) ? bytes.split(";").map(pieces).join(" ; ") : bytes], ["asked", failure.asked],
    ["expected", failure.expected], ["got", failure.got], ["differs in", failure.difference]]);
}

function cellContent(subject, name) {
  const cases = subject.categories[name];
  const more = cases.failed - cases.failures.length;
  return [make("h2", `${subject.name}: ${name}`), make("p", `${cases.passed} passed, ${cases.failed} failed, ${cases.skipped} skipped`, {class: "soft"}),
    ...cases.failures.map(failureList), ...(more > 0 ? [make("p", `and ${more} more failed`, {class: "soft"})] : [])];
}

// A deviation, and why it is one: the words of the document, the divergence, or the source code that does it.
function deviationContent(one) {
  const reason = one.words ? `\u201c${one.words}\u201d, ${one.source}` : one.source.startsWith("corpus/") ? one.source : `no document says so; it is in ${one.source}`;
  return make("p", `${one.sentence}: ${plural(one.requests, "request")} (${reason})`);
}

function subjectContent(subject) {
  const one = subject.behaviour;
  const facts = [["implementation", subject.implementation], ["version", subject.version], ["package", subject.package], ["its document", subject.document],
    ["asked", `${subject.cases_asked} of ${subject.cases_all} cases in ${subject.seconds} s; ${subject.requests.answered} answers`], ["note", subject.note],
    ["no answer to", subject.requests.troubled + subject.requests.not_asked > 0 ? plural(subject.requests.troubled + subject.requests.not_asked, "request") : ""],
    ["C0 AF is read as", one.overlongs.text === null ? "" : codePoints(one.overlongs.text)], ["ED A0 80 is read as", one.surrogates.text === null ? "" : codePoints(one.surrogates.text)],
    ["shortest overlong form taken", one.overlongs.smallest === null ? "" : spaced(one.overlongs.smallest)],
    ["differs in pieces", one.cuts.smallest === null ? "" : `${one.cuts.smallest.encoding} ${pieces(one.cuts.smallest.pieces)}`]];
  const profiles = subject.profile.map((row) => [`${row.encoding} ${row.asked_for}`, `${row.profile}: ${row.left_over} of ${row.answers} answers left over`]);
  const deviations = subject.deviations.map((one) => deviationContent(one));
  const residue = subject.residue.flatMap((cause) => [make("h3", `${cause.cause}: ${plural(cause.requests, "request")} of ${plural(cause.cases, "case")}`), make("p", `by ${cause.by}`, {class: "soft"}), failureList(cause.smallest)]);
  return [make("h2", subject.name), list(facts), list(profiles), ...subject.divergences.map((found) => make("p", `${found.name}: ${found.status}`)), ...deviations, make("p", `${plural(subject.left_over, "request")} left over`, {class: "soft"}), ...residue];
}

// The place in the address: #cell=NAME/ENCODING/CATEGORY, #subject=NAME, #encoding=ENCODING, #differ=ONE/OTHER.
function follow() {
  const [key, value = ""] = decodeURIComponent(location.hash.slice(1)).split(/=(.*)/), words = value.split("/"), subject = byName.get(words[0]);
  const content = key === "cell" && subject && subject.categories[words.slice(1).join("/")] ? cellContent(subject, words.slice(1).join("/"))
    : key === "subject" && subject ? subjectContent(subject) : null;
  if (at("box").open) at("box").close();
  if (content) {
    at("content").replaceChildren(...content);
    at("box").showModal();
  } else if (key === "encoding" && encodings.includes(value)) {
    at("encoding").value = value;
    drawMatrix();
  } else if (key === "differ" && words.every((name) => byName.has(name))) {
    [at("one").value, at("other").value] = words;
    drawDifferences();
    at("differently").scrollIntoView();
  }
}

at("encoding").append(...encodingsAsked.map((encoding) => make("option", encoding, {value: encoding})), make("option", "each, as a sum", {value: ""}));
if (encodingsAsked.includes("utf-8")) at("encoding").value = "utf-8";
for (const id of ["one", "other"]) at(id).append(...field.subjects.map((subject) => make("option", subject.name, {value: subject.name})));
at("other").selectedIndex = Math.min(1, field.subjects.length - 1);
for (const id of ["filter", "encoding", "failing"]) at(id).addEventListener("input", drawMatrix);
for (const id of ["one", "other"]) at(id).addEventListener("input", drawDifferences);
for (const form of document.querySelectorAll("form.filters")) form.addEventListener("submit", (event) => event.preventDefault());
at("box").addEventListener("close", () => { if (/^#(cell|subject)=/.test(location.hash)) history.replaceState(null, "", " "); });
addEventListener("hashchange", follow);
drawMatrix();
drawBehaviour();
drawDifferences();
follow();
