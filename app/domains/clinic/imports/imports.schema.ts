import { z } from "zod";
import { EXPORT_FORMATS, EXPORT_KINDS, IMPORT_KINDS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { MAX_PAGES } from "./limits.ts";

export const UploadSchema = z.object({
  kind: z.enum(IMPORT_KINDS),
  file: z.uuid({ error: () => m.import_file_missing() }),
});

/** What the buttons of the pages of an import do. Its fields are read by name: `f0` is the field of the first column, `r41` a decision. */
export const ImportIntentSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("columns"), order: z.enum(["dmy", "mdy"]).optional() }),
  z.object({ intent: z.literal("sheet"), sheet: z.string().max(200) }),
  z.object({ intent: z.enum(["decide", "decide-more"]), page: z.coerce.number().int().min(1).max(MAX_PAGES).optional() }),
  z.object({ intent: z.literal("decide-all"), all: z.string().max(200).optional() }),
  z.object({ intent: z.literal("import") }),
  z.object({ intent: z.literal("undo") }),
  z.object({ intent: z.literal("discard") }),
]);

export const ExportSchema = z.object({ kind: z.enum(EXPORT_KINDS), format: z.enum(EXPORT_FORMATS) });
