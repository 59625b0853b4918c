import { answer, bounded, instant, sha256, total, uuid, uuidBytes } from "./answers.mjs";

const columns =
    "t.id, t.slug, o.id AS organisation_id, o.slug AS organisation_slug, o.name AS organisation_name, o.logo_url, t.title, t.summary, t.category, " +
    "t.department, t.contract_type, t.working_hours, t.workplace, t.city, t.postal_code, t.country, t.salary_min, t.salary_max, t.salary_currency, " +
    "t.salary_period, t.apply_url, t.apply_email, t.status, t.published_at, t.expires_at, t.created_at, t.updated_at";
const listed = "t.listed = 1 AND (t.expires_at IS NULL OR t.expires_at > UTC_TIMESTAMP(3))";
const cache = "public, max-age=0, must-revalidate";

const job = (row) => ({
    id: uuid(row.id),
    slug: row.slug,
    organisation: { id: uuid(row.organisation_id), slug: row.organisation_slug, name: row.organisation_name, logoUrl: row.logo_url },
    title: row.title,
    summary: row.summary,
    description: row.description, // undefined, and so left out, in lists
    category: row.category,
    department: row.department,
    contractType: row.contract_type,
    workingHours: row.working_hours,
    workplace: row.workplace,
    city: row.city,
    postalCode: row.postal_code,
    country: row.country,
    salaryMin: row.salary_min,
    salaryMax: row.salary_max,
    salaryCurrency: row.salary_currency,
    salaryPeriod: row.salary_period,
    applyUrl: row.apply_url,
    applyEmail: row.apply_email,
    status: row.status,
    publishedAt: instant(row.published_at),
    expiresAt: instant(row.expires_at),
    createdAt: instant(row.created_at),
    updatedAt: instant(row.updated_at),
});

// The index to force, the conditions and their values.
function readFilter(query) {
    const filter = { index: "jobs_listed", where: listed, values: [] };
    const add = (index, condition, value) => {
        filter.index = index;
        filter.where += ` AND ${condition}`;
        filter.values.push(value);
    };
    // The last one names the index.
    if (query.salaryMin) add("jobs_salary", "t.salary_high >= ?", Number(query.salaryMin));
    if (query.salaryMax) add("jobs_salary", "t.salary_low <= ?", Number(query.salaryMax));
    if (query.contractType) add("jobs_contract_type", "t.contract_type = ?", query.contractType.toUpperCase());
    for (const name of ["department", "category", "city"])
        if (query[name])
            add(`jobs_${name}`, `t.${name}_key = ?`, sha256(query[name].toLowerCase().trim().replace(/\s+/g, " ")).subarray(0, 16));
    if (query.organisationId) add("jobs_organisation", "t.organisation_id = ?", uuidBytes(query.organisationId));
    return filter;
}

export function addJobs(app, ask) {
    app.get("/api/v1/jobs", async (request, reply) => {
        const page = bounded(request.query.page, 1, 2147483647);
        const limit = bounded(request.query.limit, 20, 100);
        if (!page || !limit) return answer(request, reply, 400, { error: "Invalid query" });
        const { index, where, values } = readFilter(request.query);
        const key = where + values.map((value) => (Buffer.isBuffer(value) ? value.toString("latin1") : value)).join(" ");
        const count = await total(request, key, async () =>
            (await ask(`SELECT COUNT(*) AS n FROM jobs t FORCE INDEX (${index}) WHERE ${where}`, values))[0].n);
        const offset = (page - 1) * limit;
        const rows = offset >= count ? [] : await ask(
            `SELECT STRAIGHT_JOIN ${columns} FROM (SELECT t.id FROM jobs t FORCE INDEX (${index}) WHERE ${where}` +
            ` ORDER BY t.published_at DESC, t.id DESC LIMIT ${limit} OFFSET ${offset}) k JOIN jobs t ON t.id = k.id` +
            " JOIN organisations o ON o.id = t.organisation_id ORDER BY t.published_at DESC, t.id DESC", values);
        reply.header("X-Total-Count", count);
        return answer(request, reply, 200, { data: { jobs: rows.map(job), total: count, page, pages: Math.ceil(count / limit) } }, cache);
    });

    app.get("/api/v1/jobs/:name", async (request, reply) => {
        const id = uuidBytes(request.params.name);
        const rows = await ask(`SELECT ${columns}, t.description FROM jobs t JOIN organisations o ON o.id = t.organisation_id WHERE ` +
            `${id ? "t.id = ?" : "t.slug = ?"} AND ${listed}`, [id ?? request.params.name]);
        if (!rows.length) return answer(request, reply, 404, { error: "Not found" });
        return answer(request, reply, 200, { data: job(rows[0]) }, cache);
    });
}
