import { bankTypedOf, fillBank, newPage, numbersToHide, writerOf } from "#app/domains/credentials/application/application-form.server.ts";
import { maskedNumber, shownNumber } from "#app/domains/credentials/application/draft.ts";
import { getDraft, isMoved, saveDraftStep } from "#app/domains/credentials/application/draft-store.server.ts";
import { getApplication } from "#app/domains/credentials/application/own-case.server.ts";
import { applicationSteps, STEP_PATHS } from "#app/domains/credentials/application/steps.ts";
import { BankStepSchema } from "#app/domains/credentials/application/verification.schema.ts";
import { RejectionNote } from "#app/domains/credentials/cases/components/rejection-note.tsx";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { askForProof } from "#app/http/proof.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { isLikelyAadhaar } from "#app/lib/verhoeff.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { SheetOf } from "#app/ui/document.tsx";
import { Form, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Steps } from "#app/ui/nav.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/banking-information.ts";
import { submitApplication } from "./submit-application.server.ts";

export const loader = loadOwn(async (ctx) => {
  const { draft, next, rejected } = await getApplication(ctx);
  if (next !== "bank") throw redirectTo(STEP_PATHS[next]);
  const { accountNumber = "", ...values } = draft.steps.bank ?? {};
  const aadhaar = draft.steps.professional?.aadhaarNumber ?? "";
  return {
    version: draft.version,
    page: newPage(),
    rejected,
    values: { ...values, accountNumber: shownNumber("accountNumber", accountNumber) },
    stored: maskedNumber("accountNumber", accountNumber),
    doubtful: aadhaar && !isLikelyAadhaar(aadhaar.replace(/[\s-]/g, "")) ? maskedNumber("aadhaarNumber", aadhaar) : null,
  };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const hide: string[] = [];
  return submitForm(request, BankStepSchema, (_, formData) => submitApplication(ctx, writerOf(formData)), {
    hide,
    unproven: askForProof(request),
    // Stores the typed values first, valid or not.
    prepare: async (formData) => {
      const { steps } = await getDraft(ctx);
      const typed = bankTypedOf(formData, steps.bank);
      fillBank(formData, typed);
      try {
        await saveDraftStep(ctx, "bank", writerOf(formData), typed);
      } catch (error) {
        if (!(error instanceof DomainError && error.code === "conflict")) throw error;
        // Submitted by an earlier press: the submission returns this error itself.
        return isMoved(error) ? undefined : error;
      }
      hide.push(...numbersToHide(typed));
    },
  });
}

type Fields = { bankName: string; accountNumber: string; ifscCode: string; accountHolderName: string; bankBranch: string };

export default function BankingInformation({ loaderData, actionData }: Route.ComponentProps) {
  const { version, page, rejected, values, stored, doubtful } = loaderData;
  const [form, fields] = useNadiForm<Fields>({ id: "bank", lastResult: actionData?.result, defaultValue: values });
  return (
    <Page
      wizard
      title={m.application_step_of({ step: "3" })}
      titleAs="p"
      back={{ to: STEP_PATHS.professional, label: m.application_back_to_professional() }}
    >
      <SheetOf audience="staff" />
      <Steps label={m.application_steps()} steps={applicationSteps()} current={2} />
      <h1 className="mt-4">{m.application_bank_title()}</h1>
      <p className="text-ink-soft mb-3">{m.application_bank_prompt()}</p>
      <RejectionNote rejected={rejected} />
      {doubtful && <DoubtfulNumber number={doubtful} />}
      <Form form={form}>
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="page" value={page} />
        <TextField field={fields.bankName} label={m.application_bank_name()} maxLength={MAX_LINE} required />
        <TextField
          field={fields.accountNumber}
          label={m.application_account()}
          hint={stored ? m.application_number_kept({ number: stored }) : m.application_account_hint()}
          inputMode="numeric"
          autoComplete="off"
          maxLength={24}
          required={!stored}
        />
        <TextField
          field={fields.ifscCode}
          label={m.application_ifsc()}
          hint={m.application_ifsc_hint()}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          maxLength={14}
          required
        />
        <TextField field={fields.accountHolderName} label={m.application_holder()} autoComplete="name" maxLength={MAX_LINE} required />
        <TextField field={fields.bankBranch} label={m.application_branch()} maxLength={MAX_LINE} required />
        <p className="row text-sm text-ink-soft items-start mt-4">
          <Icon name="lock" small />
          <span>{m.application_numbers_sealed()}</span>
        </p>
        <Dock>
          <SubmitButton size="lg" full pendingText={m.application_submitting()}>
            {m.application_submit()}
          </SubmitButton>
        </Dock>
      </Form>
    </Page>
  );
}

const DoubtfulNumber = ({ number }: { number: string }) => (
  <Note tone="warn" className="mb-3">
    <p>{m.application_aadhaar_doubtful({ number })}</p>
    <LinkButton to={`${STEP_PATHS.professional}#numbers`} variant="quiet" size="sm" className="pl-0">
      {m.application_aadhaar_look()}
    </LinkButton>
  </Note>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.application_bank_title() }) }];
