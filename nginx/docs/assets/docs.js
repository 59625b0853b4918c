// What the reference does with scripts: searching, the theme, copying, trying, and the language of all examples.
import { offerCopies } from "./copy.js";
import { search } from "./search.js";
import { offerTrials } from "./try.js";

const places = { theme: document.getElementById("page-theme"), contents: document.getElementById("page-contents") };

// Wide pages show the contents beside the text, narrow ones begin with them closed. The style does so where browsers let it.
if (!CSS.supports("selector(::details-content)")) {
  const wide = matchMedia("(min-width: 62rem)");
  const arrange = () => (places.contents.open = wide.matches);
  wide.addEventListener("change", arrange);
  arrange();
}

const showTheme = () => places.theme.setAttribute("aria-checked", String(document.documentElement.dataset.theme === "dark"));
places.theme.classList.remove("needs-scripts");
places.theme.addEventListener("click", () => window.switchTheme());
document.addEventListener("themechange", showTheme);
showTheme();

const remembered = {
  get: () => {
    try {
      return localStorage.getItem("docs-language");
    } catch {
      return null;  // storage is switched off
    }
  },
  set: (value) => {
    try {
      localStorage.setItem("docs-language", value);
    } catch {
      // it is for this page only
    }
  },
};

// Opening an example in one language opens all others in it.
const examples = [...document.querySelectorAll("details[data-language]")];
function choose(language) {
  for (const each of examples) each.open = each.dataset.language === language;
}
const language = remembered.get();
if (examples.some((each) => each.dataset.language === language)) choose(language);
for (const each of examples) {
  each.querySelector("summary").addEventListener("click", (event) => {
    if (each.open) return;
    event.preventDefault();
    const before = each.getBoundingClientRect().top;
    choose(each.dataset.language);
    remembered.set(each.dataset.language);
    // What was clicked stays where it was, whatever opened and closed above it.
    scrollBy(0, each.getBoundingClientRect().top - before);
  });
}

addEventListener("beforeprint", () => document.querySelectorAll("main details").forEach((each) => (each.open = true)));

// An address that was opened with its anchor may have moved.
if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();

search();
offerCopies();
offerTrials();
