# SPDX-License-Identifier: MIT
"""Looks at a page in headless Chromium, 1200 and 390 pixels wide, light and dark: screenshots, and what sticks out or cannot be read."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Optional

WIDTHS = (1200, 390)
SCHEMES = {"light": "1", "dark": "0"}  # Blink's numbers of what `prefers-color-scheme` is
HEIGHT = 5000  # of a picture; a page that is higher has several
SMALLEST = 10  # pixels of text; what is smaller cannot be read
LOADS = 20000  # how often to look whether a page is complete, which takes less than a millisecond if nothing else runs
SECONDS = 300  # it takes two

# A window of Chromium is at least 500 pixels wide, but a frame in it can be narrower. A page whose script needs
# time has <body data-shown="0"> until it is complete. Virtual time, which is limited, stops while something is loaded: this script loads
# images that do not exist until the page is complete. The title becomes what was seen: for each width, by how many pixels the page
# sticks out, its smallest text that is drawn, with its size in pixels, the first cell of a table whose text has a letter or two in each
# line, the first part of a path in a command that is broken though it fits in a line, and the first frame that hides lines without a button
# after it.
FRAMES = """<!DOCTYPE html><meta charset="utf-8"><body style="margin: 0; background: #888">
<div style="height: HEIGHTpx; overflow: hidden"><div style="display: flex; align-items: flex-start; margin-top: -ABOVEpx">%s</div></div><script>
const sizeOf = element => {
  const size = parseFloat(getComputedStyle(element).fontSize), scale = element.closest("svg") && element.getScreenCTM && element.getScreenCTM();
  return scale ? size * Math.hypot(scale.c, scale.d) : size; // also of text that is turned
};
const isSqueezed = cell => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const box = range.getBoundingClientRect();
  return cell.textContent.trim().length > 3 && getComputedStyle(cell).writingMode === "horizontal-tb" && box.height > 3 * box.width;
};
const brokenPart = command => {
  const range = document.createRange(), texts = document.createTreeWalker(command, NodeFilter.SHOW_TEXT);
  let block = command;
  while (!block.clientWidth) block = block.parentElement;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    let at = 0;
    for (const part of node.data.split(/(?<=\\/)|(?<= )/)) {
      range.setStart(node, at);
      range.setEnd(node, at += part.length);
      const boxes = [...range.getClientRects()];
      if (new Set(boxes.map(box => box.top)).size > 1 && boxes.reduce((sum, box) => sum + box.width, 0) < block.clientWidth) return part;
    }
  }
  return "";
};
const isFolded = frame => frame.scrollHeight > frame.clientHeight + 1 && !frame.nextElementSibling?.matches("button");
const load = number => new Promise(done => {
  const image = new Image();
  image.onerror = done;
  image.src = `absent-${number}.png`;
});
onload = () => setTimeout(async () => { // after the scripts of the page
  const seen = {}, isShown = frame => frame.contentDocument.body.dataset.shown !== "0";
  for (let number = 0; number < LOADS && ![...document.querySelectorAll("iframe")].every(isShown); number++) await load(number);
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument, root = page.documentElement, texts = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
    let smallest = {pixels: 1000, text: ""};
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || !element.getClientRects().length || element.closest("script, style, title, desc, defs")) continue;
      const pixels = sizeOf(element);
      if (pixels < smallest.pixels) smallest = {pixels, text: node.data.trim().slice(0, 40)};
    }
    const squeezed = [...page.querySelectorAll("td, th")].find(isSqueezed);
    const broken = [...page.querySelectorAll(".command")].map(brokenPart).find(part => part) ?? "";
    const folded = [...page.querySelectorAll(".frame")].find(isFolded)?.textContent.trim().slice(0, 40) ?? "";
    seen[frame.width] = {isShown: isShown(frame), broken, folded, out: Math.max(0, root.scrollWidth - frame.width), ...smallest, squeezed: squeezed ? squeezed.textContent.trim() : "", height: root.scrollHeight};
    frame.height = root.scrollHeight;
  }
  document.title = JSON.stringify(seen);
}, 1000);
</script>"""


def browser() -> Optional[str]:
    """The path of Chromium, if it is installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def faults(seen: Dict[str, Dict[str, Any]]) -> List[str]:
    """What is wrong with a page that `look` has seen, a line each."""
    said = []
    for place in ((scheme, str(width)) for scheme in SCHEMES for width in WIDTHS):
        what = seen.get(place[0], {}).get(place[1])
        where = f"{place[0]}, {place[1]} pixels: "
        if what is None:
            said.append(f"{where}not seen")
            continue
        if not what["isShown"]:
            said.append(f"{where}not complete")
        if what["out"]:
            said.append(f"{where}sticks out by {what['out']}")
        if what["pixels"] < SMALLEST:
            said.append(f"{where}text of {what['pixels']:.1f} pixels: {what['text']}")
        if what["squeezed"]:
            said.append(f"{where}letters one below the other: {what['squeezed']}")
        if what["broken"]:
            said.append(f"{where}a line ends within {what['broken']}")
        if what["folded"]:
            said.append(f"{where}no button shows the rest of {what['folded']}")
    return said


def look(page: Path, shots: Path, place: str = "") -> Dict[str, Dict[str, Any]]:
    """What is seen of a page (at `place`, "#anchor"), by scheme and width; writes shots/PAGE-SCHEME.png, which shows both widths, and of a page
    higher than HEIGHT its other parts, PAGE-SCHEME-2.png and so on."""
    seen, page = {}, page.resolve()  # a browser has no current folder
    shots.mkdir(parents=True, exist_ok=True)
    for scheme in SCHEMES:
        seen[scheme] = photograph(page, place, scheme, 0, shots / f"{page.stem}-{scheme}.png")
        highest = max((what["height"] for what in seen[scheme].values()), default=0)
        for part in range(1, -(-highest // HEIGHT)):
            photograph(page, place, scheme, part, shots / f"{page.stem}-{scheme}-{part + 1}.png")
    return seen


def photograph(page: Path, place: str, scheme: str, part: int, shot: Path) -> Dict[str, Any]:
    """Writes a picture of one part of a page at both widths. Returns the text of the whole page, by width; nothing if its frames did not
    load."""
    program = browser()
    assert program is not None
    frame = "".join(f'<iframe src="file://{html.escape(str(page) + place)}" width={width} height=800 style="border: 0; margin-right: 10px; flex: none"></iframe>' for width in WIDTHS)
    with tempfile.TemporaryDirectory() as folder:
        frames = Path(folder) / "frames.html"
        frames.write_text(FRAMES.replace("HEIGHT", str(HEIGHT)).replace("ABOVE", str(part * HEIGHT)).replace("LOADS", str(LOADS)) % frame, "utf-8")
        done = subprocess.run([program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--allow-file-access-from-files", "--hide-scrollbars",
                               f"--user-data-dir={folder}/profile", f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}", "--virtual-time-budget=5000",
                               f"--window-size={sum(WIDTHS) + 20},{HEIGHT}", f"--screenshot={shot}", "--dump-dom", f"file://{frames}"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=SECONDS, check=True)
    title = re.search(r"<title>(.*?)</title>", done.stdout)
    return json.loads(html.unescape(title[1])) if title else {}
