// The time by the service's clock, which decides what is published already: the browser's may be wrong.
let ahead = null;  // milliseconds

// The Date of an answer that has just come. It is never later than the service's clock, so the greatest difference is the best, unless the
// browser's clock was set meanwhile.
export function noteDate(text) {
  const found = Date.parse(text ?? "") - Date.now();
  if (Number.isNaN(found)) return;
  ahead = ahead !== null && Math.abs(found - ahead) < 5000 ? Math.max(ahead, found) : found;
}

export const serviceNow = () => new Date(Date.now() + (ahead ?? 0));
