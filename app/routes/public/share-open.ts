/** `/s/{secret}/open`: the record of a link. Each request counts, except for its head alone, which shows nothing. */
import { openShare } from "#app/domains/visit/sharing/open-share.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { fileHeaders } from "#app/http/file-headers.server.ts";
import { load } from "#app/http/load.server.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import { env } from "#app/runtime/env.server.ts";
import { printedPage } from "../light/prescription-html.ts";
import { answerShare, SHARE_HEADERS } from "../light/share-html.ts";
import type { Route } from "./+types/share-open.ts";

export const handle = { session: false, secret: "key" } satisfies RouteRules;

export const loader = load(({ context, params, request }: Route.LoaderArgs) => {
  const ctx = ctxOf(context);
  if (request.method === "HEAD") return new Response(null, { headers: SHARE_HEADERS });
  return answerShare(async () => {
    const opened = await openShare(ctx, params.key);
    if (opened.kind === "file") {
      // The stored name may contain the patient's.
      const file = {
        bytes: opened.bytes,
        mediaType: opened.mediaType,
        name: opened.mediaType === "application/pdf" ? "document.pdf" : "document.jpg",
      };
      // The browser's own page around a picture has inline styles.
      const policy = { "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox" };
      return new Response(opened.bytes as Uint8Array<ArrayBuffer>, { headers: { ...fileHeaders(file), ...policy, ...SHARE_HEADERS } });
    }
    const at = { origin: env().appUrl.origin, back: `/s/${params.key}`, url: request.url };
    return printedPage(opened.content, opened.state, at, SHARE_HEADERS);
  });
});
