/** The steps of a doctor's application that are not the doctor's own. The specification shows no calls for them: these are the least that do. */
import { z } from "zod";
import { CaseDecisionSchema } from "#app/domains/credentials/cases/case-decision.schema.ts";
import type { CaseFile } from "#app/domains/credentials/cases/case-file.ts";
import { ADMIN_STATUSES, REVIEWER_TABS, type ReviewerTab } from "#app/domains/credentials/cases/case-lists.ts";
import { listDoctorCases, listReviewerCases, readCase } from "#app/domains/credentials/cases/case-queries.server.ts";
import { decideAsAdmin } from "#app/domains/credentials/cases/decide-as-admin.server.ts";
import { decideForHospital, seenOf } from "#app/domains/credentials/cases/decide-for-hospital.server.ts";
import { endpoint } from "#app/http/api/endpoint.ts";
import { m } from "#app/paraglide/messages.js";
import { Done, done, filePath, Id, IdParam, Instant, Qualification, RegistrationStatus, Rupees, rupees } from "./wire.ts";

const group = "Reviewing doctors";
const page = z.coerce.number().int().min(1).max(1000).default(1);
const search = z.string().trim().max(100).default("");

const Row = z.object({
  _id: Id,
  id: Id,
  name: z.string(),
  specialization: z.string(),
  city: z.string(),
  registrationStatus: RegistrationStatus,
  hospitalName: z.string().nullable(),
  submittedAt: Instant.nullable(),
});
type Listed = {
  id: string;
  name: string;
  specialization: string;
  city: string;
  status: z.output<typeof RegistrationStatus>;
  hospitalName: string | null;
  submittedAt: Date | null;
};
const rowOf = (row: Listed): z.input<typeof Row> => ({
  _id: row.id,
  id: row.id,
  name: row.name,
  specialization: row.specialization,
  city: row.city,
  registrationStatus: row.status,
  hospitalName: row.hospitalName,
  submittedAt: row.submittedAt?.toISOString() ?? null,
});
const Rows = z.object({ success: z.literal(true), count: z.number(), cases: z.array(Row), hasMore: z.boolean() });
const rowsOf = ({ rows, hasMore }: { rows: Listed[]; hasMore: boolean }) => ({
  success: true as const,
  count: rows.length,
  cases: rows.map(rowOf),
  hasMore,
});

const Case = z.object({
  _id: Id,
  id: Id,
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  registrationStatus: RegistrationStatus,
  seen: z.string().meta({ description: "Version of the application. Send it back with the decision." }),
  specialization: z.string(),
  category: z.string(),
  experienceYears: z.number(),
  consultationFee: Rupees,
  about: z.string(),
  council: z.object({ name: z.string().nullable(), number: z.string().nullable(), year: z.number().nullable() }),
  qualifications: z.array(Qualification),
  hospital: z.object({ id: Id, name: z.string(), address: z.string(), status: z.string() }).nullable(),
  documents: z.array(
    z.object({
      id: Id,
      kind: z.string(),
      file_url: z.string().nullable().meta({ description: "Null: erased after the doctor was approved." }),
      decision: z.string(),
      reason: z.string().nullable(),
      version: z.string().meta({ description: "Version of the decision. Send it back with the new decision." }),
    }),
  ),
});
const caseOf = (file: CaseFile, origin: string): z.input<typeof Case> => ({
  _id: file.id,
  id: file.id,
  name: file.name,
  email: file.email,
  phone: file.phone,
  registrationStatus: file.status,
  seen: seenOf(file),
  specialization: file.specialization,
  category: file.category,
  experienceYears: file.experienceYears,
  consultationFee: rupees(file.fee),
  about: file.about,
  council: { name: file.councilName, number: file.councilNumber, year: file.councilYear },
  qualifications: file.qualifications,
  hospital: file.hospital && {
    id: file.hospital.id,
    name: file.hospital.name,
    address: file.hospital.address,
    status: file.hospital.status,
  },
  documents: file.documents.map(({ id, kind, fileId, decision, reason, version }) => ({
    id,
    kind,
    file_url: fileId && origin + filePath(fileId),
    decision,
    reason,
    version,
  })),
});

export const listCases = endpoint({
  method: "GET",
  path: "/api/reviewer/cases",
  group,
  summary: "Lists applications to the hospitals of the reviewer, 20 per page.",
  about:
    "Not in the specification. Waiting applications are listed oldest first. `q` finds doctors by name, email, phone or registration number.",
  who: ["reviewer"],
  query: z.object({ tab: z.enum(Object.keys(REVIEWER_TABS) as [ReviewerTab, ...ReviewerTab[]]).default("waiting"), q: search, page }),
  answer: Rows,
  run: async ({ ctx, query }) => rowsOf(await listReviewerCases(ctx, { tab: query.tab, search: query.q, page: query.page })),
});
export const getCase = endpoint({
  method: "GET",
  path: "/api/reviewer/cases/{id}",
  group,
  summary: "Returns one application with its documents.",
  about: "Not in the specification. Identity and account numbers are left out. The call is written to the audit log.",
  who: ["reviewer"],
  params: IdParam,
  answer: Case,
  run: async ({ ctx, params, origin }) => caseOf(await readCase(ctx, params.id), origin),
});
export const decideCase = endpoint({
  method: "PUT",
  path: "/api/reviewer/cases/{id}/decision",
  group,
  summary: "Decides on an application for the hospital: approves it, sends it back with reasons, or saves the decisions so far.",
  about:
    "Not in the specification. Send `seen` and the `version` of each document as you received them: a decision about an older version is refused with 409.",
  who: ["reviewer"],
  params: IdParam,
  body: CaseDecisionSchema,
  answer: Done,
  async run({ ctx, params, body }) {
    await decideForHospital(ctx, { ...body, doctorId: params.id });
    return done(m.api_decided());
  },
});

export const listAllCases = endpoint({
  method: "GET",
  path: "/api/admin/doctors",
  group,
  summary: "Lists doctors in one status, 20 per page.",
  about:
    "Not in the specification. Waiting applications are listed oldest first. `q` finds doctors by name, email, phone or registration number.",
  who: ["admin"],
  query: z.object({ status: z.enum(ADMIN_STATUSES).default("pending admin approval"), q: search, page }),
  answer: Rows,
  run: async ({ ctx, query }) => rowsOf(await listDoctorCases(ctx, { status: query.status, search: query.q, page: query.page })),
});
export const getAnyCase = endpoint({
  method: "GET",
  path: "/api/admin/doctors/{id}",
  group,
  summary: "Returns one doctor with the documents of the application.",
  about: "Not in the specification. Identity and account numbers are left out. The call is written to the audit log.",
  who: ["admin"],
  params: IdParam,
  answer: Case,
  run: async ({ ctx, params, origin }) => caseOf(await readCase(ctx, params.id), origin),
});
export const decideAnyCase = endpoint({
  method: "PUT",
  path: "/api/admin/doctors/{id}/decision",
  group,
  summary: "Decides on an application after the hospital: approves it, sends it back, or saves the decisions so far.",
  about:
    "Not in the specification. The administrator must not be the reviewer of this application, and must have opened every document. Send `seen` and the `version` of each document as you received them: a decision about an older version is refused with 409.",
  who: ["admin"],
  params: IdParam,
  body: CaseDecisionSchema,
  answer: Done,
  async run({ ctx, params, body }) {
    await decideAsAdmin(ctx, { ...body, doctorId: params.id });
    return done(m.api_decided());
  },
});
