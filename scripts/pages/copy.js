// SPDX-License-Identifier: MIT
// Adds a button after each command of a page that copies it; without a script there is none. Where the browser does not let a page copy,
// the command is selected.
function addCopyButton(command) {
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
