import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { devServer } from "./vite/dev-server.ts";
import { pluralRulesOnce } from "./vite/plural-rules-once.ts";
import { postgresCorrections } from "./vite/postgres-corrections.ts";
import { reactRouterParts } from "./vite/react-router-parts.ts";
import { sonnerWithoutStyle } from "./vite/sonner-without-style.ts";
import { wordsByReaders, wordsChunk } from "./vite/words-by-readers.ts";
import { workerFiles } from "./vite/worker-files.ts";
import { zodWithoutEval } from "./vite/zod-without-eval.ts";

const SERVER = "./app/server/index.ts";

/** Parts of app/ that most pages use, each smaller than the headers of a file of its own. */
const SHARED = [
  "lib/",
  "realtime/live",
  "domains/token-words",
  "domains/platform/users/gender",
  "domains/directory/(specialties|near-km|(doctors|hospitals)/components/(doctor-card|building-picture))",
  "domains/guidance/enquiry/components/enquiry-opener",
  "domains/booking/appointments/components/status-badge",
  "ui/(?!filters|toaster|icon-paths|drawings|form\\.|checked-form|fields\\.|error-summary|yes-no|validate|finder|calendar|dialog)",
];
/** Parts that the first pages of patients and of doctors share. */
const HOME = [
  "domains/booking/appointments/components/next-appointment",
  "domains/oversight/announcements/components/announcement-(banner|text)",
];
const inApp = (parts: string[]) => new RegExp(`/app/(${parts.join("|")})`.replaceAll("/", "[\\\\/]"));
const UI = inApp(SHARED);

/** What every page needs in few files: each name and each request is bytes of the first view. Lazy parts, and whatever brings Conform, stay apart. */
const CHUNKS = [
  { name: "framework", test: /[\\/]node_modules[\\/](react|react-dom|react-router|scheduler|cookie|set-cookie-parser)[\\/]/ },
  { name: "ui", test: UI, minShareCount: 2 },
  { name: "home", test: inApp(HOME), minShareCount: 2 },
  wordsChunk((path) => UI.test(`/${path}`)),
];

export default defineConfig({
  // The same address as the product's own, because Host and origin are checked in development too.
  server: { port: Number(process.env.PORT ?? 3000), strictPort: true, host: process.env.HOST ?? "localhost" },
  // Found late, these would reload the page at the first visit to a form.
  optimizeDeps: { include: ["@conform-to/react", "@conform-to/zod/v4", "zod"] },
  plugins: [
    tailwindcss(),
    sonnerWithoutStyle(),
    zodWithoutEval(),
    postgresCorrections(),
    reactRouterParts(),
    workerFiles(),
    // The same structure as scripts/bootstrap.mjs: one file per language, which Node also loads quickly.
    wordsByReaders(),
    pluralRulesOnce(),
    paraglideVitePlugin({ project: "./project.inlang", outdir: "./app/paraglide", outputStructure: "locale-modules" }),
    // Before reactRouter(): its middleware then runs ahead of React Router's catch-all, and development uses our listener.
    devServer(SERVER),
    reactRouter(),
  ],
  // Phones that are years old: media queries and colours in the forms they read.
  build: { cssTarget: ["chrome80", "safari14", "firefox78"] },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } } } },
    // The server itself is part of the bundle, so that pool, sockets and routes share one copy of every module.
    ssr: {
      build: { rollupOptions: { input: SERVER } },
      // Part of it too: as a package Node reads its package.json again for each of 200 files, 1 s and 180 MB of each start (docs/decisions/001).
      resolve: { noExternal: ["drizzle-orm", "postgres"] },
    },
  },
});
