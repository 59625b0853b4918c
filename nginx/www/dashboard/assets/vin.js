// Vehicle identification numbers (ISO 3779).

const letters = { A: 1, B: 2, C: 3, D: 4, E: 5, F: 6, G: 7, H: 8, J: 1, K: 2, L: 3, M: 4, N: 5, P: 7, R: 9, S: 2, T: 3, U: 4, V: 5, W: 6, X: 7, Y: 8, Z: 9 };
const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];

const checkDigit = (vin) => {
  const sum = [...vin].reduce((total, character, i) => total + (letters[character] ?? Number(character)) * weights[i], 0);
  return sum % 11 === 10 ? "X" : String(sum % 11);
};

// What looks wrong with a VIN, or null. The ninth character is a check digit in North America and China, and may be anything in Europe.
export function vinWarning(text) {
  const vin = text.toUpperCase().replace(/[\s-]/g, "");
  if (vin === "") return null;
  if (/[IOQ]/.test(vin)) return "A VIN has no letters I, O and Q: they are the digits 1 and 0.";
  if (!/^[A-Z\d]*$/.test(vin)) return "A VIN has letters and digits only.";
  if (vin.length !== 17) return `A VIN has 17 characters, and this has ${vin.length}. Older vehicles may have fewer.`;
  const must = /[1-5]/.test(vin[0]), may = /[\dX]/.test(vin[8]);
  if (!(must || may) || vin[8] === checkDigit(vin)) return null;
  return "The ninth character is not the check digit of this VIN: one character may be mistyped. European VINs need not have a check digit.";
}
