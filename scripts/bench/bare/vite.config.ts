import { join } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

const stock = process.env.BENCH_STOCK === "1";
// The bare page in the product's server (checks, log, headers, compression) or in unmodified React Router.
const server = stock ? join(import.meta.dirname, "stock/server.ts") : join(import.meta.dirname, "../../../app/server/index.ts");

export default defineConfig({
  root: import.meta.dirname,
  plugins: [tailwindcss(), reactRouter()],
  environments: { ssr: { build: { rollupOptions: { input: server } } } },
});
