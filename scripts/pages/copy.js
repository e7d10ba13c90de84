// SPDX-License-Identifier: MIT
// Adds a button after each command of a page that copies it; without a script there is none. Where the browser does not let a page copy,
// the command is selected. A line of the command ends between two words, and not within an option; a word ends only if it is longer than a
// line.
function addCopyButton(command) {
  const words = command.textContent.split(" ");
  command.replaceChildren(...words.flatMap((word, index) => {
    const whole = document.createElement("span");
    whole.style.cssText = "display: inline-block; max-width: 100%";
    whole.textContent = word;
    return index > 0 ? [" ", whole] : [whole];
  }));
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
