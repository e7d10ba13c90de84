// SPDX-License-Identifier: MIT
// Adds a button after each command of a page that copies it; without a script there is none. Where the browser does not let a page copy,
// the command is selected. A line of the command ends between two words, and not within an option; a word that is longer than a line ends
// after a slash, if it has one.
function addCopyButton(command) {
  const unbroken = (...content) => {
    const box = document.createElement("span");
    box.style.cssText = "display: inline-block; max-width: 100%";
    box.append(...content);
    return box;
  };
  const words = command.textContent.split(" ").map((word) => unbroken(...word.split(/(?<=\/)/).map((part) => unbroken(part))));
  command.replaceChildren(...words.flatMap((word, index) => (index > 0 ? [" ", word] : [word])));
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "copy";
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(command.textContent);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(command);
      button.textContent = "selected";
    }
  };
  command.after(" ", button);
}
document.querySelectorAll(".command").forEach(addCopyButton);
