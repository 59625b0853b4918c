// What a browser calls itself, in words.

// Browsers name the ones they descend from as well, so the most special name is looked for first.
const browsers = [["Edg", "Edge"], ["OPR", "Opera"], ["Firefox", "Firefox"], ["Chrome", "Chrome"], ["Safari", "Safari"]];
const systems = [["Android", "Android"], ["iPhone", "iPhone"], ["iPad", "iPad"], ["Windows", "Windows"], ["Mac OS X", "macOS"], ["Linux", "Linux"]];
const first = (names, text) => names.find(([part]) => text.includes(part))?.[1];

export function browserOf(userAgent) {
  const browser = first(browsers, userAgent) ?? (userAgent.slice(0, 40) || "A browser without a name");
  const system = first(systems, userAgent);
  return system ? `${browser} on ${system}` : browser;
}
