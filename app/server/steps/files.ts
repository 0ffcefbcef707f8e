/** Serves the files of the build. Recognised by the first part of their path, so pages need no file system lookup. */
import { readdirSync } from "node:fs";
import sirv from "sirv";
import type { Step } from "../exchange.ts";
import { FILE_POLICY, securityHeaders, WORKER_POLICY } from "../headers.ts";
import { sendRefusal } from "../refusal-page.ts";

const CLIENT = "build/client";
const compressed = { brotli: true, gzip: true, etag: true };
/** Folders whose files never change: those of the build, and the drawings of `public/faces`, versioned by folder. */
const HASHED = new Set(["assets", "faces"]);
const production = !import.meta.env.DEV;
const firstParts = new Set(production ? readdirSync(CLIENT).filter((name) => !name.startsWith(".") && !/\.(br|gz)$/.test(name)) : []);
// Files that never change are cached for a year, others for an hour.
const hashed = production ? sirv(CLIENT, { ...compressed, immutable: true, maxAge: 31_536_000 }) : undefined;
const named = production ? sirv(CLIENT, { ...compressed, maxAge: 3600 }) : undefined;

/** Serves the path if it is a file. */
export const serveFile: Step = async ({ req, res }) => {
  const path = req.url?.split("?", 1)[0] ?? "";
  const second = path.indexOf("/", 1);
  const first = second < 0 ? path.slice(1) : path.slice(1, second);
  if (!firstParts.has(first)) return false;
  if (req.method !== "GET" && req.method !== "HEAD") {
    await sendRefusal(req, res, 405, { allow: "GET, HEAD" });
    return true;
  }
  for (const [name, value] of Object.entries(securityHeaders())) res.setHeader(name, value);
  res.setHeader("content-security-policy", path === "/sw.js" ? WORKER_POLICY : FILE_POLICY);
  const found = await new Promise<boolean>((ok) => {
    res.once("close", () => ok(true));
    (HASHED.has(first) ? hashed : named)?.(req, res, () => ok(false));
  });
  if (found) return true;
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  await sendRefusal(req, res, 404);
  return true;
};
