// The title of the document: the page, and before it how many enquiries are new, so that a tab in the background says so.
import { newEnquiries, onNews } from "./watch.js";

let page = "";

function show() {
  const count = newEnquiries();
  document.title = `${count > 0 ? `(${count > 99 ? "99+" : count}) ` : ""}${page} – Tradepost`;
}

export function setTitle(text) {
  page = text;
  show();
}

onNews(document.documentElement, show);
