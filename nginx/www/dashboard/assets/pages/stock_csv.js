// Stock: in and out as a table.
import { Failure, signedIn, told } from "../api.js";
import { mappingPart } from "../csv_mapping.js";
import { tableOf } from "../csv_items.js";
import { planImport, previewPart } from "../csv_preview.js";
import { sourcePart } from "../csv_source.js";
import { h, icon, replace } from "../dom.js";
import { readFeed } from "../feed.js";
import { choiceField } from "../fields.js";
import { many } from "../format.js";
import { lastShown } from "../list_memory.js";
import { outline } from "../loading.js";
import { say, warn } from "../messages.js";
import { addressOf } from "../shell.js";

function exportPart(organisation) {
  const separator = choiceField({ name: "separator", label: "Spreadsheet format" },
    [[",", "English (comma, 19995.00)"], [";", "German and others (semicolon, 19995,00)"]], { empty: null });
  separator.set(",");
  const button = h("button", { type: "button", class: "btn btn-quiet", onclick: save }, "Save as CSV");

  async function save() {
    button.disabled = true;
    try {
      const { data } = await signedIn(() => readFeed(organisation.id));
      const address = URL.createObjectURL(new Blob([tableOf(data, separator.get())], { type: "text/csv" }));
      const link = h("a", { href: address, download: `stock-${organisation.slug}-${new Date().toISOString().slice(0, 10)}.csv` });
      document.body.append(link);
      link.click();
      link.remove();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
      say(`${many(data.length, "item")} saved.`);
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      warn(`Nothing was saved. ${told(failure)}`);
    } finally {
      button.disabled = false;
    }
  }
  return h("div", { class: "stack" },
    h("p", {}, "All items in every state, without pictures and documents. Importing the file again unchanged changes nothing."),
    h("div", { class: "grid" }, separator.node), h("div", {}, button));
}

const panel = (title, ...content) => h("section", { class: "panel" }, h("h2", { class: "panel-title", tabindex: "-1" }, title), content);

export function stockCsvPage({ organisation }) {
  const mapping = h("div", { hidden: true });
  const preview = h("div", { hidden: true });
  const show = (box, ...content) => {
    replace(box, content);
    box.hidden = content.length === 0;
  };
  const notice = (text) => h("div", { class: "notice notice-bad", role: "alert" }, h("p", {}, text));

  let turn = 0;
  async function look(settings) {
    const mine = ++turn;
    show(preview, panel("What will change", outline(4)));
    preview.querySelector("h2").focus();
    try {
      const plan = await planImport(organisation, settings);
      if (mine !== turn) return;
      show(preview, panel("What will change", previewPart(organisation, plan, { imported: () => {
        show(preview);
        show(mapping);
        page.node.querySelector("h1").focus();
      } })));
      preview.querySelector("h2").focus();
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      if (mine === turn) show(preview, notice(told(failure)));
    }
  }
  const forget = () => {
    turn++;
    show(preview);
  };
  const source = sourcePart({
    refuse(text) {
      forget();
      show(mapping, notice(text));
    },
    read(table) {
      forget();
      show(mapping, panel("Columns", mappingPart(organisation, table, { preview: look, changed: forget })));
      mapping.querySelector("h2").focus();
    },
  });
  const page = {
    title: "Import or export stock",
    node: h("section", { class: "page page-record" },
      h("a", { class: "back", href: lastShown(addressOf(organisation.slug, "stock")), "data-back": "" }, icon("left"), "Stock"),
      h("h1", {}, "Import or export stock"),
      h("div", { class: "editor csv" }, panel("Import", source), mapping, preview, panel("Export", exportPart(organisation)))),
  };
  return page;
}
