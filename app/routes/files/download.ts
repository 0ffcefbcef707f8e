import { openFile } from "#app/domains/privacy/file-access/open-file.server.ts";
import { byteRange } from "#app/http/byte-range.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { asRefusal, refusalOf, refusals } from "#app/http/refusals.server.ts";
import { mustChangePassword } from "#app/http/session.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { Route } from "./+types/download.ts";

/**
 * A stored file for its owner or the doctor it was shown to; 404 for everybody else, logged in or not. Never kept by a
 * cache, never run: a sandboxing policy, nosniff, and an attachment with `?download=1`. Only what we made ourselves or what is
 * only ever heard opens in the browser: everything else is always an attachment. Recordings come in parts, which Safari asks for.
 */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  try {
    const session = context.get(sessionContext);
    if (!session) throw new DomainError("not-found");
    if (mustChangePassword(session)) throw new DomainError("forbidden", m.accounts_weak_first());
    const { bytes, mediaType, name } = await openFile(actorCtxOf(context), params.id);
    const picture = mediaType === "image/jpeg";
    const sound = mediaType.startsWith("audio/");
    const kind = (picture || sound) && !new URL(request.url).searchParams.has("download") ? "inline" : "attachment";
    // Every stored picture is a JPEG, whatever it was called; other names were made to fit when they came.
    const named = picture ? asJpeg(name) : name;
    const headers = {
      "Content-Type": mediaType,
      "Content-Length": String(bytes.byteLength),
      "Content-Disposition": `${kind}; filename="paper.${/\.([a-z0-9]{1,5})$/i.exec(named)?.[1] ?? "bin"}"; filename*=UTF-8''${encodeURIComponent(named).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`,
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "Cache-Control": "no-store",
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

const asJpeg = (name: string) => (/\.jpe?g$/i.test(name) ? name : `${name.replace(/\.[a-z0-9]{1,5}$/i, "")}.jpg`);

/** The bytes of an id never change. */
const etagOf = (id: string) => `"${id}"`;

/** False when the whole file must be sent: for HEAD, and when If-Range names another version (RFC 9110 §13.1.5). */
function wantsPart(request: Request, id: string): boolean {
  const version = request.headers.get("if-range");
  return request.method === "GET" && (version === null || version.trim() === etagOf(id));
}
