/** Samples of fields and calendars for /dev/ui. */
import type { SubmissionResult } from "@conform-to/react";
import { href } from "react-router";
import { SubmitButton } from "#app/ui/button.tsx";
import { type CalendarDay, CalendarGrid, CalendarKey, MonthHead, SlotPicker } from "#app/ui/calendar.tsx";
import {
  Checkbox,
  FileField,
  Form,
  OtpField,
  PasswordField,
  PhoneField,
  RadioPicks,
  SelectField,
  TextArea,
  TextField,
  useNadiForm,
} from "#app/ui/form.tsx";

const HERE = href("/dev/ui");
export const LONG = "Sri Venkateswara Ramachandrapuram Superspeciality Multidisciplinary Hospital and Research Institute";

type Sample = {
  name: string;
  phone: string;
  password: string;
  reason: string;
  blood: string;
  gender: string;
  agree: string;
  document: string;
  otp: string;
};
const NAMES = ["name", "phone", "password", "reason", "blood", "gender", "agree", "document", "otp"] as const;
export const refused: SubmissionResult<string[]> = {
  status: "error",
  initialValue: { name: LONG, phone: "12345", otp: "12" },
  error: Object.fromEntries(NAMES.map((name) => [name, [`Please give a valid ${name}.`]])),
};

export function Fields({ id, lastResult }: { id: string; lastResult?: SubmissionResult<string[]> }) {
  const [form, fields] = useNadiForm<Sample>({ id, lastResult, defaultValue: { gender: "f" } });
  return (
    <Form form={form} method="get" action={HERE}>
      <TextField field={fields.name} label="Name" hint="As on your documents" />
      <PhoneField field={fields.phone} label="Mobile number" />
      <PasswordField field={fields.password} label="Password" />
      <TextArea field={fields.reason} label="Reason" optional />
      <SelectField
        field={fields.blood}
        label="Blood group"
        placeholder="Not known"
        options={[
          { value: "a", label: "A+" },
          { value: "b", label: "B+" },
        ]}
      />
      <RadioPicks
        field={fields.gender}
        label="Gender"
        columns
        options={[
          { value: "f", label: "Female" },
          { value: "m", label: "Male" },
          { value: "o", label: "Other", disabled: true },
        ]}
      />
      <Checkbox field={fields.agree} label="I agree to the terms" />
      <FileField field={fields.document} label="Add your documents" hint="JPEG, PNG or PDF, up to 5 MB" />
      <OtpField field={fields.otp} label="Code from the SMS" />
      <SubmitButton full>Send</SubmitButton>
    </Form>
  );
}

/** November 2026 begins on a Sunday. */
const WEEKS: CalendarDay[][] = Array.from({ length: 4 }, (_, week) =>
  Array.from({ length: 7 }, (_, weekday) => {
    const day = week * 7 + weekday + 1;
    const state = day < 9 ? "past" : weekday === 0 ? "none" : day % 5 === 0 ? "full" : "free";
    return {
      date: `2026-11-${String(day).padStart(2, "0")}`,
      state,
      today: day === 9,
      chosen: day === 12,
      to: state === "free" ? `${HERE}?day=${day}#calendar` : undefined,
      badges: day === 18 ? ["10:30 AM", "4:00 PM", "6:00 PM"] : undefined,
    };
  }),
);

export function Calendar() {
  return (
    <>
      <MonthHead id="month" title="November 2026" previous={null} next={{ to: `${HERE}?month=12`, label: "December" }} />
      <CalendarGrid labelledBy="month" weeks={WEEKS} />
      <CalendarKey />
      <SlotPicker
        name="slot"
        chosen="10:30"
        slots={[
          { time: "09:00", taken: true },
          { time: "10:00", taken: true },
          { time: "10:30" },
          { time: "11:00" },
          { time: "14:30" },
          { time: "18:00" },
        ]}
      />
    </>
  );
}
