/** Several machines, as processes on one: PostgreSQL under Patroni, HAProxy, Redis and four processes of the product (docs/scaling.md). */
import { rmSync } from "node:fs";
import { makeDoctor } from "../../tests/factories/people.ts";
import { cloneTemplate } from "../../tests/setup/database.ts";
import { startRedis, type TestRedis } from "../../tests/setup/redis.ts";
import { freePort, startServer, type TestServer } from "../../tests/setup/server.ts";
import { makeWishes } from "../bench/world.ts";
import { dropDatabase } from "../databases.ts";
import { balanceDatabase, balanceProcesses } from "./cluster/balancer.ts";
import { makeFolder } from "./cluster/folder.ts";
import { type Nodes, PASSWORD, startNodes } from "./cluster/nodes.ts";
import { measureProcessorTime } from "./cluster/processor.ts";
import { missingPackages, type Program } from "./cluster/programs.ts";
import { race } from "./cluster/race.ts";
import { watchSockets } from "./cluster/sockets.ts";
import { BEHIND_PROXY } from "./product/product.ts";
import type { Proof } from "./proof.ts";

const PROCESSES = 4;
const DOCTORS = 20;
/** Bookings of a minute, at the most. */
const TIMES = 3_000;

const proof: Proof = {
  title: `Three PostgreSQL nodes under Patroni (ttl 20 s), HAProxy, Redis and ${PROCESSES} processes. The leader is killed each minute (SIGKILL) while pairs of patients book the same time; a client without a response sends the same form again. Then Redis is killed under open pages.`,
  missing: missingPackages,
  async run({ short, minutes, report }) {
    const kills = Math.max(1, Math.round(minutes ?? (short ? 1 : 5)));
    const folder = makeFolder();
    const before = process.env.TEST_DATABASE_URL;
    const programs: Program[] = [];
    const servers: TestServer[] = [];
    let [cluster, redis]: [Nodes | undefined, TestRedis | undefined] = [undefined, undefined];
    let drop = async () => {};
    try {
      cluster = await startNodes(folder);
      redis = await startRedis("redis-server");
      const [databasePort, port] = [await freePort(), await freePort()];
      programs.push(await balanceDatabase(folder, databasePort, cluster.nodes));
      // Templates and copies of tests/setup/database.ts are made on the cluster.
      process.env.TEST_DATABASE_URL = `postgres://postgres:${PASSWORD}@127.0.0.1:${databasePort}/postgres`;
      const database = await cloneTemplate("reference");
      drop = () => dropDatabase(database);
      const env = { ...BEHIND_PROXY, APP_URL: `http://localhost:${port}`, REDIS_URL: redis.url, LOG_LEVEL: "warn" };
      for (let i = 0; i < PROCESSES; i++) servers.push(await startServer({ database, env }));
      programs.push(
        await balanceProcesses(
          folder,
          port,
          servers.map((server) => server.port),
        ),
      );
      const [first] = servers as [TestServer];
      for (let i = 0; i < DOCTORS; i++) await makeDoctor(first.db);
      const wishes = await makeWishes(first.sql, kills * TIMES);
      await first.sql`analyze`;
      const [{ version } = { version: "" }] = await first.sql<{ version: string }[]>`select current_setting('server_version') as version`;
      report({ what: "PostgreSQL", value: version, detail: true });
      const cookies = [...new Set(wishes.map(({ cookie }) => cookie))];
      await race(cluster, { port, servers, wishes }, { kills, every: 60_000, report });
      await measureProcessorTime({ port, servers, cookies }, { ms: short ? 2_000 : 10_000, report });
      await watchSockets({ port, servers, redis }, { sockets: short ? 200 : 8_000, report });
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
      await drop().catch(() => undefined);
      if (before === undefined) delete process.env.TEST_DATABASE_URL;
      else process.env.TEST_DATABASE_URL = before;
      await Promise.all(programs.map((program) => program.kill()));
      await redis?.end();
      await cluster?.end();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
export default proof;
