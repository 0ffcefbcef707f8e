import { openFile } from "#app/domains/files/open-file.server.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { asRefusal, refusalOf, refusals } from "#app/http/refusals.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Route } from "./+types/download.ts";

/**
 * A stored file for its owner or the doctor it was shown to; 404 for everybody else, logged in or not. Never kept by a
 * cache, never run: a sandboxing policy, nosniff, and an attachment with `?download=1`.
 */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  try {
    if (!context.get(sessionContext)) throw new DomainError("not-found");
    const file = await openFile(actorCtxOf(context), params.id);
    const kind = new URL(request.url).searchParams.has("download") ? "attachment" : "inline";
    return new Response(file.bytes as Uint8Array<ArrayBuffer>, {
      headers: {
        "Content-Type": file.mediaType,
        "Content-Length": String(file.bytes.byteLength),
        "Content-Disposition": `${kind}; filename="paper.jpg"; filename*=UTF-8''${encodeURIComponent(asJpeg(file.name)).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`,
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        "Cache-Control": "no-store",
      },
    });
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof DomainError)) throw refusal;
    return new Response(refusalOf(refusal).message, {
      status: refusals[refusal.code].status,
      headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
    });
  }
}

/** Every stored picture is a JPEG, whatever it was called. */
const asJpeg = (name: string) => (/\.jpe?g$/i.test(name) ? name : `${name.replace(/\.[a-z0-9]{1,5}$/i, "")}.jpg`);
