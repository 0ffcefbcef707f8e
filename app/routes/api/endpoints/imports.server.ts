import { randomUUID } from "node:crypto";
import { z } from "zod";
import {
  chooseColumns,
  decideAllAndRows,
  discardImport,
  type RowChoice,
  startImport,
  undoImport,
} from "#app/domains/clinic/imports/change-import.server.ts";
import { type Clinic, clinicOfExport, clinicOfImport } from "#app/domains/clinic/imports/clinic.server.ts";
import { APPOINTMENT_FIELDS, type ImportField, PATIENT_FIELDS } from "#app/domains/clinic/imports/columns.ts";
import { getExport, openExport, requestExport } from "#app/domains/clinic/imports/export.server.ts";
import { QUESTIONS } from "#app/domains/clinic/imports/match.ts";
import { getImport, type ImportFacts } from "#app/domains/clinic/imports/queries.server.ts";
import { takeRows } from "#app/domains/clinic/imports/rows-file.server.ts";
import { storeImportFile, uploadImport } from "#app/domains/clinic/imports/upload-import.server.ts";
import { problemWords, questionWord } from "#app/domains/clinic/imports/words.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { ApiProofSchema } from "#app/domains/platform/accounts/accounts.schema.ts";
import { MAX_IMPORT_BYTES } from "#app/domains/platform/files/upload-limits.ts";
import { endpoint, Page } from "#app/http/api/endpoint.ts";
import { proveCall } from "#app/http/api/prove-call.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { shownCount } from "#app/lib/numbers.ts";
import {
  EXPORT_FORMATS,
  EXPORT_KINDS,
  IMPORT_KINDS,
  IMPORT_STATES,
  ROW_DECISIONS,
  ROW_GROUPS,
  type RowDecision,
} from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Done, done, Id, IdParam, Instant, jsonText } from "./wire.ts";

const group = "Moving in and out";
const who = ["doctor", "staff"] as const;
const needsProof =
  "Needs an identity that was confirmed in the last five minutes (POST /api/auth/proof/send-otp, then …/verify-otp), and answers 403 without it. ";
const HospitalId = z
  .uuid()
  .optional()
  .meta({ description: "The hospital or clinic, of which the caller is an owner. Without it: the doctor's own practice." });
const clinicFor = (ctx: Ctx<Actor>, hospitalId: string | undefined): Clinic =>
  hospitalId === undefined ? { doctorId: ctx.actor.userId } : { hospitalId };

const Count = z.number();
const Fields = z.enum([...new Set([...PATIENT_FIELDS, ...APPOINTMENT_FIELDS])] as [ImportField, ...ImportField[]]);
const Import = z.object({
  id: Id,
  kind: z.enum(IMPORT_KINDS),
  state: z.enum(IMPORT_STATES),
  sheets: z.array(z.string()).meta({ description: "Of a workbook. To read another one, upload the file again with `sheet`." }),
  sheet: z.string().nullable(),
  rows: Count,
  done: Count.meta({ description: "Rows that the running job has finished." }),
  columns: z.array(z.object({ header: z.string(), examples: z.array(z.string()), field: Fields.nullable() })),
  dateOrder: z.enum(["dmy", "mdy"]),
  askDateOrder: z.string().nullable().meta({ description: "A date of the file that has two readings, where the file does not decide." }),
  groups: z.object({ new: Count, here: Count, decision: Count, unreadable: Count }),
  undecided: Count,
  outcomes: z.object({
    added: Count,
    merged: Count,
    moved: Count,
    here: Count,
    undecided: Count,
    leftOut: Count,
    unreadable: Count,
    removed: Count,
    stays: Count,
  }),
  undoUntil: Instant.nullable(),
});
const importOf = ({ id, kind, state, rowCount, done, reading, mapping, order, groups, undecided, outcomes, undoUntil }: ImportFacts) => ({
  ...{ id, kind, state, rows: rowCount, done, dateOrder: order, groups, undecided, outcomes },
  columns: (reading?.columns ?? []).map(({ header, examples }, i) => ({
    header,
    examples,
    field: (mapping[i] ?? null) as ImportField | null,
  })),
  sheets: reading?.sheets ?? [],
  sheet: reading?.sheet ?? null,
  askDateOrder: reading?.ask?.value ?? null,
  undoUntil: undoUntil?.toISOString() ?? null,
});
const One = z.object({ success: z.literal(true), import: Import });
async function answerOf(ctx: Ctx<Actor>, clinic: Clinic, id: string) {
  return { success: true as const, import: importOf(await getImport(ctx, clinic, id)) };
}

/** Marks a file that was received. It is stored when the clinic is known. */
const RECEIVED = `${randomUUID()} `;
const noFile = () => m.import_file_missing();

export const createImport = endpoint({
  method: "POST",
  path: "/api/imports",
  group,
  summary: "Uploads a CSV or XLSX file of patients or appointments, and guesses its columns.",
  about: `Not in the specification. ${needsProof}Nothing is imported yet. At most 20 MB, 100,000 rows and 60 columns; a file that cannot be read gets 400 with what to do.`,
  who,
  body: z.object({
    kind: z.enum(IMPORT_KINDS),
    hospitalId: HospitalId,
    file: z.string({ error: noFile }).startsWith(RECEIVED, { error: noFile }),
    sheet: z.string().max(200).optional().meta({ description: "A sheet of a workbook. Without it: the first one." }),
    proof: jsonText(ApiProofSchema),
  }),
  uploadMb: 64,
  deadline: 60,
  files: {
    names: ["file"],
    many: [],
    media: "text/csv",
    rules: () => ({
      field: "file",
      maxFiles: 1,
      maxFileSize: MAX_IMPORT_BYTES + 1024,
      onFile: async ({ bytes }) => RECEIVED + Buffer.from(bytes).toString("base64"),
    }),
  },
  answer: One,
  status: 201,
  async run({ ctx: caller, tokenHash, body: { kind, hospitalId, file, sheet, proof } }) {
    const ctx = await proveCall(caller, tokenHash, proof);
    const clinic = clinicFor(ctx, hospitalId);
    const bytes = Buffer.from(file.slice(RECEIVED.length), "base64");
    const { id: fileId } = await storeImportFile(ctx, clinic, { name: "import", bytes });
    return answerOf(ctx, clinic, await uploadImport(ctx, clinic, { kind, fileId, sheet: sheet ?? null }));
  },
});

export const getImportStatus = endpoint({
  method: "GET",
  path: "/api/imports/{id}",
  group,
  summary: "Reads an import: its state, columns, counts and progress.",
  about: "Not in the specification. Ask again every few seconds while the state is `checking`, `importing` or `undoing`.",
  who,
  params: IdParam,
  answer: One,
  async run({ ctx, params }) {
    return answerOf(ctx, await clinicOfImport(ctx, params.id), params.id);
  },
});

export const listImportRows = endpoint({
  method: "GET",
  path: "/api/imports/{id}/rows",
  group,
  summary: "Lists rows of a checked import, with their group, reason and decision.",
  about: `Not in the specification. ${needsProof}In the order of the file. \`group\` chooses one of the four groups.`,
  who,
  params: IdParam,
  query: z.object({ group: z.enum(ROW_GROUPS).optional() }),
  list: { bound: 50, max: 200 },
  answer: z.object({
    success: z.literal(true),
    rows: z.array(
      z.object({
        row: z.number().meta({ description: "As a spreadsheet shows it." }),
        group: z.enum(ROW_GROUPS),
        reason: z.string().nullable().meta({ description: "A code, such as `same-phone` or `phone-short`." }),
        message: z.string(),
        cells: z.array(z.string()),
        like: z.object({ name: z.string(), phone: z.string().nullable(), row: z.number().nullable() }).nullable(),
        decision: z.enum(ROW_DECISIONS).nullable(),
        bookAt: z.string().nullable().meta({ description: "The next free time, which the decision `other` takes." }),
      }),
    ),
  }),
  async run({ ctx, params, query, paging }) {
    const clinic = await clinicOfImport(ctx, params.id);
    const { rows, hasMore } = await takeRows(ctx, clinic, params.id, {
      ...(query.group && { group: query.group }),
      offset: paging.offset,
      most: paging.limit,
    });
    const listed = rows.map(({ number, group, reason, cells, like, decision, bookAt }) => ({
      ...{ row: number, group, reason, cells, decision, bookAt: (decision && bookAt) || null },
      message: group === "unreadable" ? problemWords(reason).join(". ") : questionWord(reason),
      like: like && { name: like.name, phone: like.phone, row: like.row },
    }));
    return new Page({ success: true as const, rows: listed }, hasMore);
  },
});

export const checkImportRows = endpoint({
  method: "POST",
  path: "/api/imports/{id}/columns",
  group,
  summary: "Says what the columns are, and starts the check of every row.",
  about: "Not in the specification. `columns` has a field or null for each column of the file. Nothing is imported yet.",
  who,
  params: IdParam,
  body: z.object({ columns: z.array(Fields.nullable()).max(60), dateOrder: z.enum(["dmy", "mdy"]).optional() }),
  answer: Done,
  async run({ ctx, params, body }) {
    const clinic = await clinicOfImport(ctx, params.id);
    await chooseColumns(ctx, clinic, { id: params.id, mapping: body.columns, order: body.dateOrder ?? "dmy" });
    return done(m.import_state_checking());
  },
});

const choiceOf = (decision: RowDecision | null, doctorId = ""): RowChoice =>
  decision === "doctor" ? { decision, doctorId } : { decision };

export const decideImportRows = endpoint({
  method: "POST",
  path: "/api/imports/{id}/decisions",
  group,
  summary: "Decides about rows that need it: one by one, or all at once.",
  about:
    "Not in the specification. `all` is stored first, then `rows`. `question` and `doctorName` bound `all` to rows of one question, or of one name of a doctor. `doctor` needs the `doctorId` of a doctor of the clinic. A decision that a row does not allow is left out. `asked`: rows that ask one more question now, such as for a free time.",
  who,
  params: IdParam,
  body: z.object({
    all: z.enum(ROW_DECISIONS).optional(),
    doctorId: z.uuid().optional().meta({ description: "Of `all`." }),
    question: z.enum(QUESTIONS).optional().meta({ description: "Of `all`: the `reason` of the rows." }),
    doctorName: z.string().max(120).nullable().optional().meta({ description: "Of `all`: as in the file; null: rows that name none." }),
    rows: z
      .array(z.object({ row: z.number().int().min(1), decision: z.enum(ROW_DECISIONS).nullable(), doctorId: z.uuid().optional() }))
      .max(1_000)
      .optional(),
    proof: ApiProofSchema,
  }),
  answer: Done.extend({ asked: Count }),
  async run({ ctx: caller, tokenHash, params: { id }, body: { all, doctorId, question, doctorName, rows = [], proof } }) {
    const ctx = await proveCall(caller, tokenHash, proof);
    const clinic = await clinicOfImport(ctx, id);
    const asked = await decideAllAndRows(ctx, clinic, {
      id,
      all: all ? { ...choiceOf(all, doctorId), question, doctorName } : null,
      rows: new Map(rows.map((one) => [one.row, choiceOf(one.decision, one.doctorId)])),
    });
    return { ...done(m.import_save_decisions()), asked };
  },
});

const action = <const P extends string>(
  path: P,
  summary: string,
  about: string,
  run: (ctx: Ctx<Actor>, clinic: Clinic, id: string) => Promise<void>,
  message: () => string,
) =>
  endpoint({
    method: "POST",
    path,
    group,
    summary,
    about: `Not in the specification. ${about}`,
    who,
    params: IdParam,
    answer: Done,
    async run({ ctx, params }) {
      await run(ctx, await clinicOfImport(ctx, params.id), params.id);
      return done(message());
    },
  });
export const commitImport = action(
  "/api/imports/{id}/commit",
  "Imports what was checked, in the background.",
  "Rows without a decision are left out. No patient gets a message. 409 in another state, and when a time was booked since the check: its row asks again.",
  async (ctx, clinic, id) => {
    const gone = await startImport(ctx, clinic, id);
    if (gone) throw new DomainError("conflict", m.import_times_gone(shownCount(gone)));
  },
  () => m.import_state_importing(),
);
export const undoImportCall = endpoint({
  method: "POST",
  path: "/api/imports/{id}/undo",
  group,
  summary: "Undoes an import as a whole, in the background, until seven days after it.",
  about: `Not in the specification. ${needsProof}Patients that were used since stay, and are counted in \`outcomes.stays\`.`,
  who,
  params: IdParam,
  body: z.object({ proof: ApiProofSchema }),
  answer: Done,
  async run({ ctx: caller, tokenHash, params: { id }, body: { proof } }) {
    const ctx = await proveCall(caller, tokenHash, proof);
    await undoImport(ctx, await clinicOfImport(ctx, id), id);
    return done(m.import_state_undoing());
  },
});
export const discardImportCall = action(
  "/api/imports/{id}/discard",
  "Deletes an uploaded file that was not imported.",
  "409 once the import was started.",
  discardImport,
  () => m.import_discarded(),
);

const ExportFile = z.object({
  id: Id,
  kind: z.enum(EXPORT_KINDS),
  format: z.enum(EXPORT_FORMATS),
  isReady: z.boolean(),
  rows: Count,
  expiresAt: Instant,
});
const OneExport = z.object({ success: z.literal(true), export: ExportFile });
async function exportOf(ctx: Ctx<Actor>, clinic: Clinic, id: string) {
  const { rowCount, expiresAt, createdAt: _, ...file } = await getExport(ctx, clinic, id);
  return { success: true as const, export: { ...file, rows: rowCount, expiresAt: expiresAt.toISOString() } };
}

export const createExport = endpoint({
  method: "POST",
  path: "/api/exports",
  group,
  summary: "Prepares a file of patients, appointments or payments, in the columns that an import reads.",
  about: `Not in the specification. ${needsProof}The file is prepared in the background and can be downloaded for 24 hours.`,
  who,
  body: z.object({ kind: z.enum(EXPORT_KINDS), format: z.enum(EXPORT_FORMATS), hospitalId: HospitalId, proof: ApiProofSchema }),
  answer: OneExport,
  status: 201,
  async run({ ctx: caller, tokenHash, body: { hospitalId, proof, ...input } }) {
    const ctx = await proveCall(caller, tokenHash, proof);
    const clinic = clinicFor(ctx, hospitalId);
    return exportOf(ctx, clinic, await requestExport(ctx, clinic, input));
  },
});

export const getExportStatus = endpoint({
  method: "GET",
  path: "/api/exports/{id}",
  group,
  summary: "Reads whether the file of an export is ready.",
  about: "Not in the specification.",
  who,
  params: IdParam,
  answer: OneExport,
  async run({ ctx, params }) {
    return exportOf(ctx, await clinicOfExport(ctx, params.id), params.id);
  },
});

export const downloadExport = endpoint({
  method: "GET",
  path: "/api/exports/{id}/file",
  group,
  summary: "Downloads the file of an export.",
  about: `Not in the specification. ${needsProof}404 until it is ready and after 24 hours.`,
  who,
  params: IdParam,
  answer: "file",
  async run({ ctx, params }) {
    const { bytes, mediaType, name } = await openExport(ctx, await clinicOfExport(ctx, params.id), params.id);
    return new Response(new Uint8Array(bytes), {
      headers: {
        "Content-Type": mediaType,
        "Content-Disposition": `attachment; filename="${name}"`,
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
      },
    });
  },
});
