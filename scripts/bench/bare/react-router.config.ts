import { join } from "node:path";
import type { Config } from "@react-router/dev/config";

const stock = process.env.BENCH_STOCK === "1";

export default {
  appDirectory: stock ? "stock" : "app",
  // Outside the product's build, so not in production. Inside node_modules, so that imports resolve.
  buildDirectory: join(import.meta.dirname, "../../../node_modules/.cache/nadi-bench", stock ? "stock" : "bare", "build"),
  routeDiscovery: { mode: "initial" },
} satisfies Config;
