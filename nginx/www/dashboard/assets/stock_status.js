// From which status to which a stock item may go, as many are changed at once: a feed may list what was archived again.
const moves = { DRAFT: ["PUBLISHED"], PUBLISHED: ["ARCHIVED"], ARCHIVED: ["DRAFT", "PUBLISHED"] };
const reasons = { DRAFT: "A draft cannot be archived. Publish it first, or delete it.", PUBLISHED: "What is published can be archived, and then be a draft again." };

// {status}; null when it has it already; {why} when it cannot have it.
export function statusAfter(item, status) {
  if (item.status === status) return null;
  if (!moves[item.status].includes(status)) return { why: reasons[item.status] };
  const missing = status === "PUBLISHED" && ["price", "currency"].filter((name) => item[name] === null);
  return missing.length > 0 ? { why: `It has no ${missing.join(" and no ")}, which buyers need.` } : { status };
}
