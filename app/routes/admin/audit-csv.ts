import { href } from "react-router";
import { AuditFilterSchema } from "#app/domains/oversight/audit-log/audit.schema.ts";
import { exportAudit } from "#app/domains/oversight/audit-log/queries.server.ts";
import { actionWord, detailWord, subjectWord } from "#app/domains/oversight/audit-log/words.ts";
import { roleWord } from "#app/domains/oversight/users/words.ts";
import { csvResponse } from "#app/http/csv-response.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { requireFreshProof } from "#app/http/proof.server.ts";
import { csvFile } from "#app/lib/csv.ts";
import { secondInIndia, todayInIndia } from "#app/lib/dates.ts";
import { readFilter } from "#app/lib/list-filter.ts";
import { m } from "#app/paraglide/messages.js";
import type { Route } from "./+types/audit-csv.ts";

/** After the proof the user returns to the page with the filters, because a download does not replace its page. */
export const middleware = [requireFreshProof("export-log", (url) => `${href("/admin/audit")}${url.search}`)];

/** Returns the log of /admin/audit with the same filters as CSV. */
export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const rows = await exportAudit(ctx, readFilter(new URL(request.url).searchParams, AuditFilterSchema));
  const file = csvFile(
    [
      m.admin_audit_when(),
      m.admin_audit_who(),
      m.admin_col_role(),
      m.admin_audit_what(),
      m.admin_audit_subject(),
      m.admin_audit_subject_id(),
      m.admin_audit_whose(),
      m.admin_audit_details(),
      m.admin_session_ip(),
    ],
    rows.map((row) => [
      secondInIndia(row.at),
      row.actor || row.actorId || "",
      roleWord(row.actorRole),
      actionWord(row.action),
      row.subjectName ?? subjectWord(row.subjectType),
      row.subjectId,
      row.person || row.personId || "",
      row.details.map(({ key, value }) => `${detailWord(key)}: ${value}`).join("; "),
      row.ip ?? "",
    ]),
  );
  return csvResponse(file, `nadi-log-${todayInIndia(ctx.now)}.csv`);
});
