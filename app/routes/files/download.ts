import { openFile } from "#app/domains/privacy/file-access/open-file.server.ts";
import { byteRange } from "#app/http/byte-range.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { fileHeaders } from "#app/http/file-headers.server.ts";
import { asRefusal, refusalOf, refusals } from "#app/http/refusals.server.ts";
import { mustChangePassword } from "#app/http/session.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { Route } from "./+types/download.ts";

/**
 * Returns a stored file to its owner or a user with permission; 404 for others. Never cached in shared caches and never executed:
 * a sandbox policy, nosniff, and an attachment with `?download=1`. Only re-encoded images and recordings open in the browser;
 * other files are always attachments. Supports byte ranges for recordings, which Safari requires.
 */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  try {
    const session = context.get(sessionContext);
    if (!session) throw new DomainError("not-found");
    if (mustChangePassword(session)) throw new DomainError("forbidden", m.accounts_weak_first());
    const file = await openFile(actorCtxOf(context), params.id);
    const { bytes } = file;
    const sound = file.mediaType.startsWith("audio/");
    const headers = {
      ...fileHeaders(file, { download: new URL(request.url).searchParams.has("download") }),
      // The browser's own page around a picture has inline styles.
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      ...(sound && { "Accept-Ranges": "bytes", ETag: etagOf(params.id) }),
    };
    const range = sound && wantsPart(request, params.id) ? byteRange(request.headers.get("range"), bytes.byteLength) : null;
    if (range === "unsatisfiable")
      return new Response(null, { status: 416, headers: { "Content-Range": `bytes */${bytes.byteLength}`, "Cache-Control": "no-store" } });
    if (range) {
      const part = bytes.subarray(range.from, range.to + 1);
      return new Response(part as Uint8Array<ArrayBuffer>, {
        status: 206,
        headers: {
          ...headers,
          "Content-Length": String(part.byteLength),
          "Content-Range": `bytes ${range.from}-${range.to}/${bytes.byteLength}`,
        },
      });
    }
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof DomainError)) throw refusal;
    return new Response(refusalOf(refusal).message, {
      status: refusals[refusal.code].status,
      headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
    });
  }
}

/** The bytes of an id never change. */
const etagOf = (id: string) => `"${id}"`;

/** Returns false when the whole file must be sent: for HEAD, and when If-Range names another version (RFC 9110 §13.1.5). */
function wantsPart(request: Request, id: string): boolean {
  const version = request.headers.get("if-range");
  return request.method === "GET" && (version === null || version.trim() === etagOf(id));
}
