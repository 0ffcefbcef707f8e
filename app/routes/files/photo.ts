import { openPhoto } from "#app/domains/directory/doctors/open-photo.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { answerFileRefusal } from "#app/http/file-refusal.server.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import type { Route } from "./+types/photo.ts";

export const handle = { cookies: false } satisfies RouteRules;

/** Returns a verified doctor's photo, public and cached for a day: a new photo has a new URL. Other files are not found. */
export async function loader({ context, params }: Route.LoaderArgs) {
  try {
    const photo = await openPhoto(ctxOf(context), params.fileId);
    return new Response(photo as Uint8Array<ArrayBuffer>, {
      headers: {
        "Content-Type": "image/jpeg",
        "Content-Length": String(photo.byteLength),
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cache-Control": "public, max-age=86400, immutable",
      },
    });
  } catch (error) {
    return answerFileRefusal(error);
  }
}
