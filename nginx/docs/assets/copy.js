// A button beside each listing that copies it. It lies over the listing, so that nothing moves when it appears.
export function offerCopies() {
  if (!navigator.clipboard) return;
  const state = document.getElementById("page-copied");
  for (const listing of document.querySelectorAll(".listing")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    const pre = listing.querySelector("pre");
    button.setAttribute("aria-label", `Copy${pre.hasAttribute("aria-label") ? ` ${pre.getAttribute("aria-label")}` : " the listing"}`);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(pre.textContent);
        button.textContent = state.textContent = "Copied";
      } catch {
        button.textContent = state.textContent = "Not copied";
      }
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
    listing.append(button);
  }
}
