// What lists showed last: shown again at once while it is asked for anew.
const most = 30;
const answers = new Map();  // by the list's address with its query, the last used at the end
const queries = new Map();  // the address with its query of what each list showed last

export const lastAnswer = (address) => answers.get(address);

// A list's address with the filters and the page that it showed last.
export const lastShown = (address) => queries.get(address) ?? address;
export const noteShown = (address, shown) => queries.set(address, shown);

export function remember(address, data) {
  answers.delete(address);
  answers.set(address, data);
  if (answers.size > most) answers.delete(answers.keys().next().value);
}

// A record was changed in this document: it is shown as it is now.
export function noteChange(record) {
  for (const data of answers.values()) {
    for (const row of Object.values(data).flat()) {
      if (row?.id !== record.id) continue;
      for (const name of Object.keys(row)) if (name in record) row[name] = record[name];
    }
  }
}

// Many were changed, or some were deleted.
document.addEventListener("recordschange", () => answers.clear());
