// A QR code as a drawing.
const namespace = "http://www.w3.org/2000/svg";

function element(tag, attributes) {
  const node = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

// `rows` are texts of 1 for dark and 0 for light. Always dark on light, with the margin of four modules that cameras need.
export function qrCode(rows, label) {
  const size = rows.length + 8;
  const svg = element("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, class: "qr-code", "shape-rendering": "crispEdges" });
  svg.append(element("rect", { width: size, height: size, fill: "#fff" }));
  const dark = rows.flatMap((row, y) => [...row].map((module, x) => (module === "1" ? `M${x + 4} ${y + 4}h1v1h-1z` : "")));
  svg.append(element("path", { d: dark.join(""), fill: "#000" }));
  return svg;
}
