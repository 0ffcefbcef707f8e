import { data, href } from "react-router";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { cancelDocument, correctPrescription } from "#app/domains/visit/documents/change-document.server.ts";
import { composePrescription, type Fields } from "#app/domains/visit/documents/compose.server.ts";
import { MOST_TEXT, readDraft, type VisitDraft, withLines } from "#app/domains/visit/encounters/draft.ts";
import { getOwnVisit } from "#app/domains/visit/encounters/own-visit.server.ts";
import { discardDraft, saveDraft } from "#app/domains/visit/encounters/save-draft.server.ts";
import { VisitFormSchema } from "#app/domains/visit/encounters/visit-form.schema.ts";
import { addFavourite, listFavourites, removeFavourite } from "#app/domains/visit/medicines/favourites.server.ts";
import { EMPTY_LINE } from "#app/domains/visit/medicines/line.ts";
import { listLastLines } from "#app/domains/visit/page/queries.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { asRefusal, orRefuse, refusalOf, refusals } from "#app/http/refusals.server.ts";
import { isRestoring } from "#app/http/restoring.server.ts";
import { readForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { VisitDocumentKind } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

/** What a refused form shows again: everything that was typed, and what is wrong. */
export type VisitAnswer = { draft: VisitDraft; version: number; errors: Fields; conflict: string | null };

/** Reads the posted form of a visit. */
export async function readVisitForm(ctx: Ctx<Actor>, request: Request, id: string) {
  const { formData } = await readForm(request);
  const posted = VisitFormSchema.safeParse(Object.fromEntries(formData));
  if (!posted.success) throw new DomainError("invalid");
  const typed: Record<string, unknown> = posted.data;
  const get = (name: string) => {
    const value = Object.hasOwn(typed, name) ? typed[name] : "";
    return typeof value === "string" ? value : "";
  };
  const visit = await getOwnVisit(ctx, id);
  const draft = { ...readDraft(get, visit.language), page: get("page").slice(0, 40), turn: Number(get("turn")) || 0 };
  if (get("keep")) draft.twice = get("keep").slice(0, MOST_TEXT);
  return { visit, get, draft, version: Number(get("version")) || 0 };
}

const CANCELLED: Record<VisitDocumentKind, () => string> = {
  prescription: () => m.visit_cancelled_toast(),
  certificate: () => m.certificate_cancelled_toast(),
  order: () => m.order_cancelled_toast(),
};

/** Runs the button that was pressed on the page of a visit. Each saves the draft first, so that nothing typed is lost. */
export function submitVisit(ctx: Ctx<Actor>, request: Request, id: string) {
  const here = href("/doctor/visits/:id", { id });
  return orRefuse(async () => {
    // After a login because of an expired session: the form is filled in again, and nothing runs.
    const isFilledAgain = isRestoring();
    const { visit, get, draft: typed, version } = await readVisitForm(ctx, request, id);
    if (isFilledAgain) return data<VisitAnswer>({ draft: typed, version, errors: {}, conflict: null });
    if (get("correct")) {
      await correctPrescription(ctx, { visitId: id });
      return redirectTo(here);
    }
    if (get("cancel")) {
      const kind = await cancelDocument(ctx, { visitId: id, documentId: get("cancel") });
      return redirectWithToast(here, CANCELLED[kind]());
    }
    if (get("discard")) {
      await discardDraft(ctx, { visitId: id });
      return redirectWithToast(here, m.visit_discarded_toast());
    }
    const changed = await withButton(ctx, get, typed, async () => listLastLines(ctx, visit));
    let saved: { version: number };
    try {
      saved = await saveDraft(ctx, { visitId: id, version, draft: changed.draft, overwrite: get("overwrite") !== "" });
      if (changed.star) await addFavourite(ctx, changed.star);
      if (get("unfavourite")) await removeFavourite(ctx, get("unfavourite"));
    } catch (error) {
      const refusal = asRefusal(error);
      if (!(refusal instanceof DomainError) || refusal.code === "not-found") throw refusal;
      const answer: VisitAnswer = { draft: typed, version, errors: {}, conflict: refusalOf(refusal).message };
      return data(answer, { status: refusals[refusal.code].status });
    }
    // "Keep both": the confirmation is part of the draft.
    if (get("review") || get("keep")) {
      const { fields } = await composePrescription(ctx, visit, changed.draft);
      if (Object.keys(fields).length) {
        const answer: VisitAnswer = { draft: typed, version: saved.version, errors: fields, conflict: null };
        return data(answer, { status: 400 });
      }
      return redirectTo(href("/doctor/visits/:id/review", { id }));
    }
    if (changed.to) return redirectTo(`${here}#${changed.to}`);
    if (get("unfavourite")) return redirectWithToast(`${here}#prescription`, m.visit_unstarred_toast());
    return redirectWithToast(here, changed.star ? m.visit_starred_toast() : m.visit_saved_toast());
  });
}

type Changed = { draft: VisitDraft; to?: string; star?: VisitDraft["lines"][number] | undefined };

/** Returns the draft after the button of a medicine, and the field that the page then shows. */
async function withButton(
  ctx: Ctx<Actor>,
  get: (name: string) => string,
  typed: VisitDraft,
  last: () => Promise<VisitDraft["lines"]>,
): Promise<Changed> {
  const at = Number(get("remove") || get("star")) - 1;
  const show = (draft: VisitDraft) => ({ draft, to: draft.lines.length ? `medicine_${draft.lines.length}` : "prescription" });
  if (get("add")) {
    const days = typed.lines.at(-1)?.days ?? "";
    return show({ ...typed, lines: [...typed.lines, { ...EMPTY_LINE, days }].slice(0, 20) });
  }
  if (get("remove")) {
    const lines = typed.lines.filter((_, i) => i !== at);
    return { draft: { ...typed, lines: lines.length ? lines : [EMPTY_LINE] }, to: "prescription" };
  }
  if (get("favourite")) {
    const found = (await listFavourites(ctx)).find((one) => one.id === get("favourite"));
    return { ...show(withLines(typed, found ? [found.line] : [])), to: "prescription" };
  }
  if (get("repeat")) return { draft: withLines(typed, await last()), to: "prescription" };
  if (get("star")) return { draft: typed, star: typed.lines[at] };
  return { draft: typed };
}
