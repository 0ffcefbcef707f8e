import { openFile } from "#app/domains/privacy/file-access/open-file.server.ts";
import { endpoint } from "#app/http/api/endpoint.ts";
import { fileHeaders } from "#app/http/file-headers.server.ts";
import { IdParam } from "./wire.ts";

export const getFile = endpoint({
  method: "GET",
  path: "/api/files/{id}",
  group: "Files",
  summary: "Returns a stored file to its owner and to users with access.",
  about:
    "Not in the specification, whose `file_url` leads here. Callers without access get 404, as for an unknown id. Pictures are JPEG. A PDF is sent as a download. When a user other than the owner reads a file, it is written to the audit log.",
  who: ["patient", "doctor", "reviewer", "admin"],
  params: IdParam,
  answer: "file",
  async run({ ctx, params }) {
    const file = await openFile(ctx, params.id);
    return new Response(file.bytes as Uint8Array<ArrayBuffer>, { headers: fileHeaders(file) });
  },
});
