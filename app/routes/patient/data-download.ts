import { ReadableStream } from "node:stream/web";
import { href } from "react-router";
import { exportData } from "#app/domains/privacy/own-data/export-data.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { asRefusal, throwRefusal } from "#app/http/refusals.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { Route } from "./+types/data-download.ts";

/** Streams all data of the patient. */
export async function loader({ context }: Route.LoaderArgs) {
  const ctx = actorCtxOf(context);
  try {
    const zip = await exportData(ctx);
    return new Response(ReadableStream.from(zip) as unknown as BodyInit, {
      headers: {
        "Content-Type": "application/zip",
        "Content-Disposition": `attachment; filename="nadi-my-data-${todayInIndia(ctx.now)}.zip"`,
        "Cache-Control": "no-store",
      },
    });
  } catch (error) {
    const refusal = asRefusal(error);
    if (refusal instanceof DomainError && refusal.code === "too-many")
      return redirectWithToast(href("/patient/data"), m.data_download_again(), { type: "error" });
    return throwRefusal(error);
  }
}
