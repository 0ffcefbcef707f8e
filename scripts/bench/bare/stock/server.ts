/// <reference types="vite/client" />
/** Unmodified React Router: its own entry.server, streamed by node-fetch-server. */
import { createServer } from "node:http";
import * as build from "virtual:react-router/server-build";
import { createRequestListener } from "@remix-run/node-fetch-server";
import { createRequestHandler } from "react-router";

const handle = createRequestHandler(build, "production");

export function start(): void {
  const server = createServer(createRequestListener((request) => handle(request)));
  server.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("ready at"));
}
