import { answer, bounded, instant, sha256, total, uuid } from "./answers.mjs";

const extensions = { "image/jpeg": ".jpg", "image/png": ".png", "image/webp": ".webp" };
const marks = (values) => values.map(() => "?").join(", ");

const item = (row, images) => ({
    id: uuid(row.id),
    organisationId: uuid(row.organisation_id),
    reference: row.reference.toString(),
    title: row.title,
    description: row.description,
    category: row.category,
    make: row.make,
    model: row.model,
    variant: row.variant,
    year: row.year,
    condition: row.item_condition,
    price: row.price,
    currency: row.currency,
    attributes: JSON.parse(row.attributes),
    status: row.status,
    availability: row.availability,
    createdAt: instant(row.created_at),
    updatedAt: instant(row.updated_at),
    images,
});

export function addStock(app, ask) {
    // The user of the request's token.
    async function authenticate(request) {
        const token = /^Bearer ([0-9a-f]{64})$/i.exec(request.headers.authorization ?? "")?.[1];
        if (!token) return undefined;
        const found = await ask("SELECT t.user_id FROM api_tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = ? AND t.revoked_at IS NULL" +
            " AND t.expires_at > UTC_TIMESTAMP(3) AND u.disabled_at IS NULL", [sha256(token)]);
        return found[0]?.user_id;
    }

    async function readImages(ids) {
        const images = new Map();
        const rows = await ask("SELECT i.stock_id, u.id, u.content_hash, u.content_type FROM stock_images i JOIN uploads u ON u.id = i.upload_id" +
            ` WHERE i.stock_id IN (${marks(ids)}) ORDER BY i.stock_id, i.position`, ids);
        for (const row of rows) {
            const name = row.content_hash.toString("hex");
            const place = `/uploads/${name.slice(0, 2)}/${name}`;
            const key = row.stock_id.toString("hex");
            if (!images.has(key)) images.set(key, []);
            images.get(key).push({ uploadId: uuid(row.id), url: place + extensions[row.content_type], thumbnailUrl: `${place}.thumb.webp` });
        }
        return images;
    }

    app.get("/api/v1/stock", async (request, reply) => {
        const user = await authenticate(request);
        if (!user) return answer(request, reply, 401, { error: "Unauthorized" });
        const own = (await ask("SELECT organisation_id FROM memberships WHERE user_id = ?", [user])).map((row) => row.organisation_id);
        const page = bounded(request.query.page, 1, 2147483647);
        const limit = bounded(request.query.limit, 20, 100);
        if (!page || !limit) return answer(request, reply, 400, { error: "Invalid query" });
        let count = 0;
        let rows = [];
        const offset = (page - 1) * limit;
        const where = `FORCE INDEX (stock_items_list) WHERE organisation_id IN (${marks(own)})`;
        if (own.length)
            count = await total(request, `stock ${own.map((id) => id.toString("latin1")).join("")}`, async () =>
                (await ask(`SELECT COUNT(*) AS n FROM stock_items ${where}`, own))[0].n);
        if (offset < count)
            rows = await ask(`SELECT s.* FROM (SELECT id FROM stock_items ${where} ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}) k` +
                " JOIN stock_items s ON s.id = k.id ORDER BY s.created_at DESC, s.id DESC", own);
        const images = rows.length ? await readImages(rows.map((row) => row.id)) : new Map();
        const stock = rows.map((row) => item(row, images.get(row.id.toString("hex")) ?? []));
        reply.header("X-Total-Count", count);
        return answer(request, reply, 200, { data: { stock, total: count, page, pages: Math.ceil(count / limit) } }, "private, no-cache");
    });
}
