// What the columns of a table of stock mean: found by their headings, in English or German, and remembered for each organisation.

export const fields = {
  reference: "Reference", title: "Title", description: "Description", category: "Category", make: "Make", model: "Model", variant: "Variant", year: "Year",
  condition: "Condition", price: "Price", currency: "Currency", status: "Status", availability: "Availability",
};

// A further detail is a column of its own; its heading says which.
const detail = "Detail: ";
export const headingOfDetail = (name) => `${detail}${name}`;
export const nameOfDetail = (heading) => (heading.startsWith(detail) ? heading.slice(detail.length) : heading);

const others = {
  reference: "ref stockno stocknumber stockid sku itemno itemnumber vehicleid internenummer interne nr lagernummer lagernr fahrzeugnummer artikelnummer bestandsnummer referenz",
  title: "name headline bezeichnung titel uberschrift",
  description: "details text beschreibung bemerkung fahrzeugbeschreibung comments",
  category: "type bodytype kategorie fahrzeugart art",
  make: "brand manufacturer marke hersteller fabrikat",
  model: "modell range",
  variant: "trim derivative version variante ausfuhrung",
  year: "modelyear yearofmanufacture baujahr jahr",
  condition: "zustand",
  price: "amount askingprice retailprice preis verkaufspreis bruttopreis endpreis",
  currency: "wahrung waehrung",
  status: "state",
  availability: "stockstatus verfugbarkeit verfuegbarkeit",
};

// Without case, accents, spaces and signs.
const plain = (text) => text.normalize("NFD").replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();

const byHeading = new Map(Object.entries(fields).flatMap(([name, label]) => [plain(label), name.toLowerCase(), ...others[name].split(" ")].map((heading) => [heading, name])));

const keyOf = (organisation) => `tradepost.columns.${organisation.id}`;

function remembered(organisation) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(organisation))) ?? {};
  } catch {
    return {};
  }
}

// What a column may be: the name of a field, "attributes" (a further detail under its heading), or "" (left out).
export function guess(organisation, headings) {
  const before = remembered(organisation);
  const taken = new Set();
  return headings.map((heading) => {
    const known = before[plain(heading)];
    const found = known ?? (heading.startsWith(detail) ? "attributes" : byHeading.get(plain(heading)) ?? "");
    // Two columns cannot be the same field: the first one is it.
    if (found in fields && taken.has(found)) return "";
    taken.add(found);
    return found;
  });
}

export function remember(organisation, headings, targets) {
  try {
    localStorage.setItem(keyOf(organisation), JSON.stringify({ ...remembered(organisation), ...Object.fromEntries(headings.map((heading, i) => [plain(heading), targets[i]])) }));
  } catch {
    // A browser that keeps nothing asks again.
  }
}

// Why these columns cannot be used, as a sentence, or null.
export function columnsFault(headings, targets) {
  if (!targets.includes("reference")) return "Choose the column with the references: they tell which item a line is about.";
  const used = targets.map((target, i) => (target === "attributes" ? headingOfDetail(nameOfDetail(headings[i])) : fields[target])).filter(Boolean);
  const twice = used.find((name, i) => used.indexOf(name) !== i);
  return twice ? `Two columns are “${twice}”. Leave one of them out.` : null;
}

const words = {
  condition: { NEW: "new neu neuwagen neufahrzeug", USED: "used gebraucht gebrauchtwagen gebrauchtfahrzeug", REFURBISHED: "refurbished generaluberholt aufbereitet" },
  status: { DRAFT: "draft entwurf", PUBLISHED: "published veroffentlicht live online", ARCHIVED: "archived archiviert" },
  availability: { DUE_IN: "duein bestellt imzulauf zulauf", IN_STOCK: "instock available auflager lagernd verfugbar", RESERVED: "reserved reserviert", SOLD: "sold verkauft" },
};

// The service's constant for a word; null when it has none.
export const constantOf = (field, text) => Object.keys(words[field]).find((value) => plain(value) === plain(text) || words[field][value].split(" ").includes(plain(text))) ?? null;
export const constantsOf = (field) => Object.keys(words[field]);
