import { openFile } from "#app/domains/files/open-file.server.ts";
import { endpoint } from "#app/http/api/endpoint.ts";
import { IdParam } from "./wire.ts";

export const getFile = endpoint({
  method: "GET",
  path: "/api/files/{id}",
  group: "Files",
  summary: "A stored picture, for its owner and for whom it was shown to; not there for anybody else. The reading is logged.",
  about: "Not in the specification, whose file_url must lead somewhere that a token opens.",
  who: ["patient", "doctor", "reviewer", "admin"],
  params: IdParam,
  answer: "file",
  async run({ ctx, params }) {
    const file = await openFile(ctx, params.id);
    return new Response(file.bytes as Uint8Array<ArrayBuffer>, {
      headers: {
        "Content-Type": file.mediaType,
        "Content-Length": String(file.bytes.byteLength),
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cache-Control": "no-store",
      },
    });
  },
});
