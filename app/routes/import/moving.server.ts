/** Loaders and actions of moving patients in and out: the same pages for a hospital or clinic and for a doctor's own practice. */

import { href, type RouterContextProvider } from "react-router";
import {
  chooseColumns,
  decideAll,
  decideRows,
  discardImport,
  type RowChoice,
  type RowsAsked,
  startImport,
  undoImport,
} from "#app/domains/clinic/imports/change-import.server.ts";
import { actForClinic, type Clinic, nameOfClinic } from "#app/domains/clinic/imports/clinic.server.ts";
import { fieldsOf, type ImportField } from "#app/domains/clinic/imports/columns.ts";
import { listExports, openExport, requestExport } from "#app/domains/clinic/imports/export.server.ts";
import { ExportSchema, ImportIntentSchema, UploadSchema } from "#app/domains/clinic/imports/imports.schema.ts";
import { MAX_PAGES } from "#app/domains/clinic/imports/limits.ts";
import { countUsed, getImport, listImports, listQuestions, ROWS_ON_PAGE } from "#app/domains/clinic/imports/queries.server.ts";
import { getRegistered, listRegister } from "#app/domains/clinic/imports/register.server.ts";
import { rowsFile, takeRows } from "#app/domains/clinic/imports/rows-file.server.ts";
import { readOtherSheet, storeImportFile, uploadImport } from "#app/domains/clinic/imports/upload-import.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { LONG_PROOF_LIFE } from "#app/domains/platform/accounts/proof.ts";
import { MAX_IMPORT_BYTES } from "#app/domains/platform/files/upload-limits.ts";
import { actorCtxOf, areaIn } from "#app/http/context.ts";
import { csvResponse } from "#app/http/csv-response.server.ts";
import { listState } from "#app/http/list-state.ts";
import { askForProof, isProven } from "#app/http/proof.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { csvFile } from "#app/lib/csv.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { shownCount } from "#app/lib/numbers.ts";
import { type ImportKind, ROW_DECISIONS, ROW_GROUPS, type RowDecision } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

type Args = {
  context: Readonly<RouterContextProvider>;
  request: Request;
  params: { id?: string; importId?: string; exportId?: string; patientId?: string };
};

/** Returns whose patients a page moves, the hospital's or clinic's or those of the doctor's own practice, and the paths of its pages. */
function scopeOf({ context, params }: Args): { ctx: Ctx<Actor>; clinic: Clinic; paths: MovingPaths } {
  const ctx = actorCtxOf(context);
  if (areaIn(context, "clinic", "doctor") === "doctor" || params.id === undefined)
    return {
      ctx,
      clinic: { doctorId: ctx.actor.userId },
      paths: {
        home: href("/doctor/profile"),
        upload: href("/doctor/import"),
        register: href("/doctor/register"),
        export: href("/doctor/export"),
      },
    };
  const of = { id: params.id };
  return {
    ctx,
    clinic: { hospitalId: params.id },
    paths: {
      home: href("/clinic/:id", of),
      upload: href("/clinic/:id/import", of),
      register: href("/clinic/:id/patients", of),
      export: href("/clinic/:id/export", of),
    },
  };
}
export type MovingPaths = { home: string; upload: string; register: string; export: string };

export async function loadImports(args: Args) {
  const { ctx, clinic, paths } = scopeOf(args);
  const imports = await listImports(ctx, clinic);
  return { paths, name: await nameOfClinic(ctx, clinic), imports };
}

export async function submitUpload(args: Args) {
  const { request } = args;
  const { ctx, clinic, paths } = scopeOf(args);
  // Before the file of a stranger is read.
  await orRefuse(() => actForClinic(ctx, clinic));
  return submitForm(
    request,
    UploadSchema,
    async ({ kind, file }) => redirectTo(`${paths.upload}/${await uploadImport(ctx, clinic, { kind, fileId: file })}`),
    {
      uploads: {
        field: "file",
        maxFiles: 1,
        maxFileSize: MAX_IMPORT_BYTES + 1024,
        onFile: async (file) => (await storeImportFile(ctx, clinic, file)).id,
      },
      unproven: askForProof(request),
    },
  );
}

export async function loadImport(args: Args) {
  const { ctx, clinic, paths } = scopeOf(args);
  const { query, page } = listState(args.request, MAX_PAGES);
  const facts = await getImport(ctx, clinic, args.params.importId);
  const group = ROW_GROUPS.find((one) => one === query.get("group")) ?? (facts.groups.decision ? "decision" : "new");
  const checked = facts.state === "checked" && !query.has("columns");
  // The rows have names and phones, as an export has.
  if (checked && !isProven(args.context, LONG_PROOF_LIFE)) throw await askForProof(args.request)();
  const list = checked ? await takeRows(ctx, clinic, facts.id, { group, offset: (page - 1) * ROWS_ON_PAGE }, LONG_PROOF_LIFE) : null;
  const questions = checked && group === "decision" ? await listQuestions(ctx, clinic, facts.id) : { asked: [], doctors: [] };
  const used = facts.state === "done" && facts.undoUntil && facts.undoUntil > ctx.now ? await countUsed(ctx, clinic, facts.id) : null;
  return {
    ...facts,
    paths,
    name: await nameOfClinic(ctx, clinic),
    today: todayInIndia(ctx.now),
    showsColumns: facts.state === "uploaded" || (facts.state === "checked" && query.has("columns")),
    confirmsUndo: query.has("undo"),
    canUndo: facts.undoUntil !== null && facts.undoUntil > ctx.now,
    group,
    page,
    ...questions,
    rows: list?.rows ?? [],
    hasMore: list?.hasMore ?? false,
    used,
  };
}

export async function submitImport(args: Args) {
  const { request } = args;
  const { ctx, clinic, paths } = scopeOf(args);
  const { importId: id = "" } = args.params;
  const here = `${paths.upload}/${id}`;
  const savedWord = async () => m.import_decisions_saved(shownCount((await getImport(ctx, clinic, id)).undecided));
  return submitForm(
    request,
    ImportIntentSchema,
    async (input, form) => {
      switch (input.intent) {
        case "columns": {
          const { kind, mapping } = await getImport(ctx, clinic, id);
          await chooseColumns(ctx, clinic, { id, mapping: mappingOf(form, kind, mapping.length), order: input.order ?? "dmy" });
          return redirectTo(here);
        }
        case "sheet":
          await readOtherSheet(ctx, clinic, { id, sheet: input.sheet });
          return redirectTo(here);
        case "decide":
        case "decide-more": {
          await decideRows(ctx, clinic, { id, rows: decisionsOf(form) });
          const page = (input.page ?? 1) + (input.intent === "decide-more" ? 1 : 0);
          return redirectWithToast(`${here}?group=decision${page > 1 ? `&page=${page}` : ""}`, await savedWord());
        }
        case "decide-all":
          await decideAll(ctx, clinic, { id, ...choiceForAll(input.all ?? "") });
          return redirectWithToast(`${here}?group=decision`, await savedWord());
        case "import": {
          const asked = await decideRows(ctx, clinic, { id, rows: decisionsOf(form) });
          if (asked) return redirectWithToast(`${here}?group=decision`, m.import_asks_more(shownCount(asked)));
          const gone = await startImport(ctx, clinic, id);
          if (gone) return redirectWithToast(`${here}?group=decision`, m.import_times_gone(shownCount(gone)));
          return redirectTo(here);
        }
        case "undo":
          await undoImport(ctx, clinic, id);
          return redirectTo(here);
        case "discard":
          await discardImport(ctx, clinic, id);
          return redirectWithToast(paths.upload, m.import_discarded());
      }
    },
    { unproven: askForProof(request) },
  );
}

/** Reads `f0`, `f1`, … */
function mappingOf(form: FormData, kind: ImportKind, count: number): (ImportField | null)[] {
  const fields = fieldsOf(kind);
  return Array.from({ length: count }, (_, i) => fields.find((field) => field === form.get(`f${i}`)) ?? null);
}
/** Reads the value of a decision: one of its names, or the id of a doctor. */
const choiceOf = (value: string): RowChoice =>
  isUuid(value)
    ? { decision: "doctor", doctorId: value }
    : { decision: ROW_DECISIONS.find((one): one is Exclude<RowDecision, "doctor"> => one === value && one !== "doctor") ?? null };
/** Reads "decision", "decision~question" or "decision~question~name of a doctor": an empty name is that of rows without one. */
function choiceForAll(value: string): RowChoice & RowsAsked {
  const [decision = "", question, ...name] = value.split("~");
  return { ...choiceOf(decision), question: question || undefined, doctorName: name.length ? name.join("~") || null : undefined };
}
/** Reads `r41`, `r42`, … */
function decisionsOf(form: FormData): Map<number, RowChoice> {
  const found = new Map<number, RowChoice>();
  for (const [name, value] of form) {
    const number = Number(/^r(\d{1,7})$/.exec(name)?.[1] ?? Number.NaN);
    if (!Number.isNaN(number)) found.set(number, choiceOf(String(value)));
  }
  return found;
}

export async function loadRowsFile(args: Args): Promise<Response> {
  const { ctx, clinic } = scopeOf(args);
  const { query } = listState(args.request);
  const group = ROW_GROUPS.find((one) => one === query.get("group"));
  const outcome = (["stays", "left-out", "moved"] as const).find((one) => one === query.get("outcome"));
  const content = await rowsFile(ctx, clinic, args.params.importId ?? "", {
    ...(group && { group }),
    ...(outcome && { outcome }),
    undecided: query.get("decision") === "none",
  });
  return csvResponse(content, "nadi-rows.csv");
}

/** Rows that show what an import reads. The persons are invented. */
const EXAMPLE: Record<ImportKind, string[][]> = {
  patients: [
    ["OP No", "Name", "Mobile", "Age/DOB", "Sex", "Blood group", "Address", "Note"],
    ["OP/1182", "Lakshmi Prasanna Devi", "90000 00121", "46", "F", "O+", "Benz Circle, Vijayawada", "Comes with her son"],
    ["OP/1183", "షేక్ రెహానా", "090000 00122", "02/03/1984", "స్త్రీ", "B pos", "Guntur", ""],
    ["OP/1184", "B. Ramana Rao", "+91 90000 00123", "58Y", "M", "AB-", "", ""],
    ["OP/1185", "Arjun", "90000 00121", "7 months", "M", "", "Benz Circle, Vijayawada", ""],
    ["OP/1186", "Gudivada Ramesh", "98480 1234", "34", "M", "", "", ""],
  ],
  appointments: [
    ["Date", "Time", "Doctor", "OP No", "Mobile", "Name", "Status", "Fee", "Paid"],
    ["12/03/2026", "10.30", "", "OP/1182", "90000 00121", "Lakshmi Prasanna Devi", "seen", "500", "500"],
    ["14/03/2026", "18:00", "", "OP/1184", "90000 00123", "B. Ramana Rao", "no show", "500", ""],
  ],
};
export async function loadExample(args: Args): Promise<Response> {
  const { ctx, clinic } = scopeOf(args);
  await actForClinic(ctx, clinic);
  const kind = listState(args.request).query.get("kind") === "appointments" ? "appointments" : "patients";
  const [head = [], ...rows] = EXAMPLE[kind];
  return csvResponse(csvFile(head, rows), `nadi-example-${kind}.csv`);
}

export async function loadRegister(args: Args) {
  const { ctx, clinic, paths } = scopeOf(args);
  const { search, page } = listState(args.request, MAX_PAGES);
  const register = await listRegister(ctx, clinic, { search, page });
  return { paths, search, page, name: await nameOfClinic(ctx, clinic), ...register };
}

export async function loadRegistered(args: Args) {
  const { ctx, clinic, paths } = scopeOf(args);
  const patient = await getRegistered(ctx, clinic, args.params.patientId);
  return { paths, clinicName: await nameOfClinic(ctx, clinic), patient };
}

export async function loadExports(args: Args) {
  const { ctx, clinic, paths } = scopeOf(args);
  const exports = await listExports(ctx, clinic);
  return { paths, name: await nameOfClinic(ctx, clinic), exports };
}

export async function submitExport(args: Args) {
  const { request } = args;
  const { ctx, clinic, paths } = scopeOf(args);
  return submitForm(
    request,
    ExportSchema,
    async (input) => {
      await requestExport(ctx, clinic, input);
      return redirectTo(paths.export);
    },
    { unproven: askForProof(request) },
  );
}

export async function loadExportFile(args: Args): Promise<Response> {
  const { ctx, clinic } = scopeOf(args);
  const { bytes, mediaType, name } = await openExport(ctx, clinic, args.params.exportId);
  if (!/^[\w.-]+$/.test(name)) throw new DomainError("not-found");
  return new Response(new Uint8Array(bytes), {
    headers: {
      "Content-Type": mediaType,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
