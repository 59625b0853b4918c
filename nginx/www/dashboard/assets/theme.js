// Light or dark, before anything is painted: a choice that was made here, else the system's. No module, because those wait for the
// document.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;  // storage is switched off
    }
  };
  const apply = () => {
    document.documentElement.dataset.theme = chosen() ?? (system.matches ? "dark" : "light");
    document.dispatchEvent(new Event("themechange"));
  };
  system.addEventListener("change", apply);
  addEventListener("storage", apply);
  apply();

  // Switches to the other one. What the system has too is no choice of its own, and follows the system from then on.
  window.switchTheme = () => {
    const dark = document.documentElement.dataset.theme !== "dark";
    try {
      if (dark === system.matches) localStorage.removeItem("theme");
      else localStorage.setItem("theme", dark ? "dark" : "light");
      apply();
    } catch {
      document.documentElement.dataset.theme = dark ? "dark" : "light";
      document.dispatchEvent(new Event("themechange"));
    }
  };
})();
