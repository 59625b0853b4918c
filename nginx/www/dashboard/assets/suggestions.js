// What items of a category usually have, as suggestions for their attributes. A category is free text: it is found by its words.
import { vinWarning } from "./vin.js";

const choice = (name, ...values) => ({ name, values });
const plain = (name, example) => ({ name, example });

const registration = plain("Registration", "AB12 CDE"), mileage = plain("Mileage", "42,000 miles"), hours = plain("Hours", "1,200");
const fuel = choice("Fuel", "Petrol", "Diesel", "Hybrid", "Plug-in hybrid", "Electric", "LPG");
const gearbox = choice("Gearbox", "Manual", "Automatic", "Semi-automatic");
const vin = { name: "VIN", example: "17 characters", warning: vinWarning };
const colour = plain("Colour", "White"), owners = plain("Previous owners", "1"), tested = plain("MOT until", "31/01/2027"), engine = plain("Engine size", "1,998 cc");
const power = plain("Power", "110 kW"), serial = plain("Serial number"), weight = plain("Weight", "2,500 kg"), gross = plain("Gross weight", "3,500 kg");
const length = plain("Length", "6.2 m"), berths = plain("Berths", "4"), warranty = plain("Warranty", "12 months");
const vehicle = [registration, mileage, fuel, gearbox, vin, colour];

const kinds = [
  { name: "Car", words: "car saloon estate hatchback suv convertible coupe mpv vehicle", has: [...vehicle, engine, plain("Doors", "5"), plain("Seats", "5"), owners, tested] },
  { name: "Van", words: "van pickup pick-up minibus commercial", has: [...vehicle, gross, plain("Load length", "2.9 m"), plain("Seats", "3"), owners, tested] },
  { name: "Truck", words: "truck lorry hgv tractor-unit bus coach", has: [...vehicle, gross, power, plain("Axles", "3"), choice("Emission class", "Euro 4", "Euro 5", "Euro 6"), tested] },
  { name: "Motorcycle", words: "motorcycle motorbike scooter moped bike", has: [registration, mileage, engine, vin, colour, owners, tested] },
  { name: "Motorhome", words: "motorhome campervan camper", has: [...vehicle, berths, length, owners, tested] },
  { name: "Caravan", words: "caravan", has: [berths, length, gross, serial] },
  { name: "Trailer", words: "trailer", has: [plain("Axles", "2"), gross, length, vin, choice("Brakes", "Yes", "No")] },
  { name: "Tractor", words: "tractor", has: [registration, hours, power, choice("Drive", "2WD", "4WD"), serial, colour] },
  { name: "Machine", words: "machine machinery plant excavator loader digger generator compressor forklift", has: [hours, power, weight, serial, fuel] },
  { name: "Boat", words: "boat yacht dinghy", has: [length, berths, hours, plain("Hull number"), fuel] },
  { name: "Parts", words: "part spare wheel tyre accessory", has: [plain("Part number"), plain("Fits"), colour, warranty] },
];
const others = [colour, weight, warranty];

export const categories = kinds.map(({ name }) => name);

// "Used vans" has the words "used" and "van".
const wordsOf = (text) => text.toLowerCase().split(/[^\p{L}-]+/u).flatMap((word) => [word, word.replace(/s$/, ""), word.replace(/ies$/, "y")]).filter(Boolean);

// The suggestions for a category: {name} and, where they help, values to choose from, an example, and warning(text) → what looks wrong.
export function suggestionsFor(category) {
  const words = wordsOf(category ?? "");
  if (words.length === 0) return [];
  return kinds.find((kind) => kind.words.split(" ").some((word) => words.includes(word)))?.has ?? others;
}

const all = new Map([...others, ...kinds.flatMap((kind) => kind.has)].map((each) => [each.name.toLowerCase(), each]));

// What is known of an attribute by its name, whatever the category.
export const knownAttribute = (name) => all.get(name.trim().toLowerCase()) ?? null;
