/// <reference types="vite/client" />
/** Unmodified React Router: its own entry.server, streamed by node-fetch-server, and its scripts from the folder of the build. */
import { createServer } from "node:http";
import { join } from "node:path";
import * as build from "virtual:react-router/server-build";
import { createRequestListener } from "@remix-run/node-fetch-server";
import { createRequestHandler } from "react-router";
import sirv from "sirv";

const handle = createRequestHandler(build, "production");

export function start(): void {
  const answer = createRequestListener((request) => handle(request));
  const files = sirv(join(import.meta.dirname, "../client"), { immutable: true });
  const server = createServer((req, res) => files(req, res, () => answer(req, res)));
  server.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("ready at"));
}
