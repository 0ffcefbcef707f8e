import type { SubmissionResult } from "@conform-to/react";
import { useState } from "react";
import { href, Link } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Form, TextArea, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Pick as PickBox } from "#app/ui/members/pick.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { HospitalTyped } from "../draft.ts";
import { HospitalNext } from "./hospital-next.tsx";

const NAMES = ["hospitalName", "hospitalAddress", "contactNumber"] as const;
type Typed = Pick<HospitalTyped, (typeof NAMES)[number] | "own">;

type Props = {
  stored: Typed | null;
  version: number;
  page: string;
  result: SubmissionResult<string[]> | undefined;
};

/** The first step with a hospital that is not listed. */
export function ManualHospital({ stored, version, page, result }: Props) {
  const [form, fields] = useNadiForm<Typed>({
    id: "hospital",
    lastResult: result,
    defaultValue: stored ?? {},
  });
  const hydrated = useHydrated();
  const first = (result?.initialValue ?? stored) as Partial<Typed> | null;
  const [filled, setFilled] = useState(() => NAMES.every((name) => first?.[name]?.trim()));
  return (
    <>
      <p className="mb-3 alone">
        <Link to={`${href("/hospital-form")}?mode=select`}>{m.application_select_toggle()}</Link>
      </p>
      <Note className="mb-3">{m.application_manual_info()}</Note>
      <Form
        form={form}
        onInput={(event) => {
          const typed = new FormData(event.currentTarget);
          setFilled(NAMES.every((name) => String(typed.get(name) ?? "").trim()));
        }}
      >
        <input type="hidden" name="mode" value="manual" />
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="page" value={page} />
        <TextField field={fields.hospitalName} label={m.application_hospital_name()} autoComplete="organization" maxLength={200} required />
        <TextArea
          field={fields.hospitalAddress}
          label={m.application_hospital_address()}
          hint={m.application_hospital_address_hint()}
          maxLength={400}
          rows={2}
          required
        />
        <TextField
          field={fields.contactNumber}
          label={m.application_hospital_contact()}
          hint={m.application_hospital_contact_hint()}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={30}
          required
        />
        <PickBox look="plain" type="checkbox" className="mt-4" name="own" value="on" defaultChecked={first?.own === "on"}>
          {m.application_own_clinic()}
        </PickBox>
        <p className="text-sm text-ink-soft">{m.application_own_clinic_hint()}</p>
        <HospitalNext disabled={hydrated && !filled} />
      </Form>
    </>
  );
}
