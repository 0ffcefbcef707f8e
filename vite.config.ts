import { resolve } from "node:path";
import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { devServer } from "./vite/dev-server.ts";
import { postgresCorrections } from "./vite/postgres-corrections.ts";
import { sonnerWithoutStyle } from "./vite/sonner-without-style.ts";
import { workerFiles } from "./vite/worker-files.ts";

const SERVER = "./app/server/index.ts";
/** Where `scripts/texts.ts` has compiled the messages. Development compiles them again when they change. */
const MESSAGES = { build: ".react-router/paraglide", serve: "app/paraglide" };

export default defineConfig(({ command }) => ({
  // The same address as the product's own, because Host and origin are checked in development too.
  server: { port: Number(process.env.PORT ?? 3000), strictPort: true, host: process.env.HOST ?? "localhost" },
  // Found late, these would reload the page at the first visit to a form.
  optimizeDeps: { include: ["@conform-to/react", "@conform-to/zod/v4", "zod"] },
  plugins: [
    tailwindcss(),
    sonnerWithoutStyle(),
    postgresCorrections(),
    workerFiles(),
    command === "serve" && paraglideVitePlugin({ project: "./project.inlang", outdir: MESSAGES.serve, outputStructure: "locale-modules" }),
    // Before reactRouter(): its middleware then runs ahead of React Router's catch-all, and development uses our listener.
    devServer(SERVER),
    reactRouter(),
  ],
  resolve: { alias: { "#app/paraglide": resolve(MESSAGES[command]) } },
  // The oldest browsers that read @layer (docs/decisions/005): media queries and colours in the forms they know.
  build: { cssTarget: ["chrome99", "safari15.4", "firefox97"] },
  environments: {
    // What many pages use is one file: a file of its own costs more than its bytes.
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: [{ name: "shared", minShareCount: 16 }] } } } } },
    // The server itself is part of the bundle, so that pool, sockets and routes share one copy of every module.
    ssr: {
      build: { rollupOptions: { input: SERVER } },
      // Part of it too: as a package Node reads its package.json again for each of 200 files, 1 s and 180 MB of each start (docs/decisions/001).
      resolve: { noExternal: ["drizzle-orm", "postgres"] },
    },
  },
}));
