// The measured routes as a careful Node programmer serves them: fastify, mysql2 with prepared statements, one process for each worker
// of ours. For comparison only. BENCH_SOCKET, BENCH_DATABASE (mysql2's options as JSON), BENCH_MODULES: where npm has installed.
import cluster from "node:cluster";
import { chmodSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { addJobs } from "./jobs.mjs";
import { addStock } from "./stock.mjs";

const { BENCH_SOCKET: socket, BENCH_DATABASE: options, BENCH_MODULES: modules } = process.env;

if (cluster.isPrimary) {
    rmSync(socket, { force: true });
    for (let worker = 0; worker < 4; ++worker) cluster.fork();
    process.on("SIGTERM", () => {
        for (const worker of Object.values(cluster.workers)) worker.process.kill();
        process.exit();
    });
} else {
    const require = createRequire(modules);
    const database = require("mysql2/promise").createPool({ ...JSON.parse(options), dateStrings: true, connectionLimit: 4 });
    const app = require("fastify")();
    const query = async (sql, values) => (await database.execute(sql, values))[0];
    addJobs(app, query);
    addStock(app, query);
    await app.listen({ path: socket });
    chmodSync(socket, 0o666);
}
