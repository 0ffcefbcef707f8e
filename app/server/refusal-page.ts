/** Error responses of the server, for requests that do not reach React Router or exceed their deadline. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { isApi } from "#app/http/request-head.ts";
import { language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { DATA_POLICY, FILE_POLICY, securityHeaders } from "./headers.ts";
import { sendBuffer } from "./send.ts";

const sentences: Record<number, () => string> = {
  400: () => m.server_bad_request(),
  403: () => m.server_refused(),
  404: () => m.error_not_found(),
  405: () => m.server_method(),
  408: () => m.server_timeout(),
  413: () => m.server_too_large(),
  414: () => m.server_long_address(),
  415: () => m.server_unsupported(),
  421: () => m.server_misdirected(),
  500: () => m.server_failed(),
  503: () => m.error_unavailable(),
};

// The colours of app/styles/tokens.css: this page must not depend on other files.
const STYLE =
  "body{margin:0;min-height:100vh;display:grid;place-items:center;font:1.0625rem/1.5 system-ui,sans-serif;background:#fbf8f1;color:#10242a}main{max-width:26rem;padding:2rem;text-align:center}h1{font-size:1.375rem;line-height:1.3}a{display:inline-block;padding:.75rem 1.5rem;border-radius:.75rem;background:#0b5566;color:#fff;font-weight:700;text-decoration:none}";

const sentenceOf = (status: number) => (sentences[status] ?? m.server_failed)();

function page(status: number): string {
  const sentence = sentenceOf(status);
  return `<!doctype html><html lang="${language()}"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${status} · Nadi</title><style>${STYLE}</style><main><p>${status}</p><h1>${sentence}</h1><p><a href="/">${m.server_go_home()}</a></p></main></html>`;
}

/** Sends `status` with its message: HTML, or JSON below /api. */
export async function sendRefusal(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  extra: OutgoingHttpHeaders = {},
): Promise<void> {
  if (res.headersSent || res.destroyed) return;
  const json = isApi(req.url ?? "");
  const body = json ? JSON.stringify({ success: false, message: sentenceOf(status) }) : page(status);
  const headers: OutgoingHttpHeaders = {
    ...securityHeaders(),
    "content-security-policy": json ? DATA_POLICY : FILE_POLICY,
    "content-type": json ? "application/json" : "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-language": language(),
    ...(status === 503 ? { "retry-after": "5" } : {}),
    ...(status === 405 ? { allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" } : {}),
    ...extra,
  };
  await sendBuffer(req, res, status, headers, Buffer.from(body));
}
