import type { SubmissionResult } from "@conform-to/react";
import { useEffect, useRef, useState } from "react";
import { href, Link, Form as RouterForm } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { FieldFrame, Form, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { HospitalList, HospitalOption } from "../draft.ts";
import { HospitalNext } from "./hospital-next.tsx";

type Props = {
  list: HospitalList;
  q: string;
  chosen: HospitalOption | null;
  version: number;
  page: string;
  result: SubmissionResult<string[]> | undefined;
};

/** The first step with a listed hospital: its details are filled in and read-only. */
export function SelectHospital({ list, q, chosen, version, page, result }: Props) {
  const [form, fields] = useNadiForm<{ hospitalId: string }>({
    id: "hospital",
    lastResult: result,
    defaultValue: { hospitalId: chosen?.id ?? "" },
  });
  const select = useRef<HTMLSelectElement>(null);
  const [picked, setPicked] = useState(String(fields.hospitalId.initialValue || chosen?.id || ""));
  // A choice made before hydration.
  useEffect(() => setPicked(select.current?.value ?? ""), []);
  const option = list.options.find(({ id }) => id === picked);
  const hydrated = useHydrated();
  const none = list.total === 0;
  return (
    <>
      <HospitalSearch q={q} total={list.total} />
      <HospitalsLoaded total={list.total} />
      <Form form={form}>
        <input type="hidden" name="mode" value="select" />
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="page" value={page} />
        <input type="hidden" name="q" value={q} />
        {/* Enter presses the first button of a form. */}
        <button type="submit" name="intent" value="next" className="sr-only" tabIndex={-1} aria-hidden="true" />
        <FieldFrame field={fields.hospitalId} label={m.application_hospital_select()} hint={shownWord(list, q)}>
          <select
            ref={select}
            className="input"
            id={fields.hospitalId.id}
            name="hospitalId"
            defaultValue={picked}
            disabled={none}
            aria-invalid={fields.hospitalId.errors ? true : undefined}
            onChange={(event) => setPicked(event.currentTarget.value)}
          >
            <option value="">{m.application_hospital_placeholder()}</option>
            {list.options.map((option) => (
              <option key={option.id} value={option.id}>
                {option.name}, {option.address}
              </option>
            ))}
          </select>
        </FieldFrame>
        {/* With JavaScript a choice is filled in immediately. */}
        {!hydrated && <ChooseButton disabled={none} />}
        <p className="mt-4 alone">
          <Link to={`${href("/hospital-form")}?mode=manual`}>{m.application_manual_toggle()}</Link>
        </p>
        <ChosenHospital option={option} />
        <HospitalNext disabled={hydrated && !option} />
      </Form>
    </>
  );
}

const ChooseButton = ({ disabled }: { disabled: boolean }) => (
  <p className="mt-4">
    <Button type="submit" name="intent" value="choose" variant="second" size="sm" icon="check" disabled={disabled}>
      {m.application_hospital_choose()}
    </Button>
  </p>
);

/** Returns which of the hospitals the list shows. */
function shownWord({ matching, options }: HospitalList, q: string): string | undefined {
  if (q) return m.application_hospitals_matching({ count: matching, text: q });
  return matching > options.length ? m.application_hospitals_first({ count: String(options.length) }) : undefined;
}

function HospitalSearch({ q, total }: { q: string; total: number }) {
  return (
    <RouterForm method="get" className="mb-3" role="search">
      <label className="label" htmlFor="hospital-search">
        {m.application_hospital_search()}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          className="input min-w-0 flex-[1_1_9rem]"
          id="hospital-search"
          type="search"
          name="q"
          defaultValue={q}
          maxLength={100}
          placeholder={m.application_hospital_search_hint()}
        />
        <Button type="submit" variant="second" icon="search">
          {m.application_search()}
        </Button>
      </div>
      <p className="row flex-wrap text-sm">
        <Button type="submit" variant="quiet" size="sm" icon="refresh-cw" className="pl-0">
          {m.application_hospitals_refresh({ count: String(total) })}
        </Button>
      </p>
    </RouterForm>
  );
}

function HospitalsLoaded({ total }: { total: number }) {
  if (total > 0)
    return (
      <Note tone="ok" role="status" className="mb-3">
        {m.application_hospitals_loaded({ count: String(total) })}
      </Note>
    );
  return (
    <Note tone="warn" className="mb-3">
      <p>{m.application_hospitals_none()}</p>
      <Link to={href("/hospital-form")} reloadDocument>
        {m.application_retry()}
      </Link>
    </Note>
  );
}

function ChosenHospital({ option }: { option: HospitalOption | undefined }) {
  return (
    <div id="chosen">
      <p className="text-sm text-ink-soft mt-4" id="locked-why">
        {m.application_hospital_locked()}
      </p>
      <Locked label={m.application_hospital_name()} name="hospitalName" value={option?.name} />
      <Locked label={m.application_hospital_address()} name="hospitalAddress" value={option?.address} />
      <Locked label={m.application_hospital_contact()} name="contactNumber" value={option?.contact} type="tel" />
    </div>
  );
}

/** A read-only field filled from the list. */
function Locked({ label, name, value, type = "text" }: { label: string; name: string; value: string | undefined; type?: string }) {
  return (
    <div className="field">
      <label className="label" htmlFor={`locked-${name}`}>
        {label}
      </label>
      <input
        key={value}
        className="input"
        id={`locked-${name}`}
        name={name}
        type={type}
        defaultValue={value ?? ""}
        readOnly
        aria-describedby="locked-why"
      />
    </div>
  );
}
