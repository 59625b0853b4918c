// What the routes beside this share.
import { createHash } from "node:crypto";

const totals = new Map();

// What `count` finds; with the header Cached-Total it may be a second old.
export async function total(request, key, count) {
    if (!request.headers["cached-total"]) return count();
    const known = totals.get(key);
    if (known && known.until > Date.now()) return known.total;
    const found = await count();
    totals.set(key, { total: found, until: Date.now() + 1000 });
    return found;
}

export function answer(request, reply, status, body, cache = "no-store") {
    const text = JSON.stringify(body);
    reply.code(status).header("Content-Type", "application/json; charset=utf-8").header("Cache-Control", cache);
    if (status === 200) {
        const tag = `"${createHash("sha1").update(text).digest("hex")}"`;
        reply.header("ETag", tag);
        if (request.headers["if-none-match"] === tag) return reply.code(304).send();
    }
    return reply.send(text);
}

// A number of the query; undefined when it is out of its bounds.
export function bounded(text, usual, most) {
    if (text === undefined) return usual;
    const number = /^\d+$/.test(text) ? Number(text) : 0;
    return number >= 1 && number <= most ? number : undefined;
}

export function uuid(bytes) {
    const hex = bytes.toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export function uuidBytes(text) {
    return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? Buffer.from(text.replaceAll("-", ""), "hex") : null;
}

export const instant = (sql) => sql && `${sql.slice(0, 10)}T${sql.slice(11)}Z`;
export const sha256 = (text) => createHash("sha256").update(text).digest();
