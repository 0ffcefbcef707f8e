import { useEffect, useRef } from "react";
import { Button } from "#app/ui/button.tsx";
import { SubmitButton } from "#app/ui/form.tsx";
import { Amounts } from "#app/ui/members/amounts.tsx";
import { Note } from "#app/ui/pieces.tsx";

/** What the page says about an online payment (pay-words.ts). */
export type PayWords = {
  note: { tone: "ok" | "warn"; text: string } | null;
  /** The form to the provider's page. */
  checkout: { action: string; fields: Readonly<Record<string, string>>; label: string } | null;
  /** The platform fee, shown before paying. `clinic`: what the way without it says. `terms`: about the refund policy. */
  fee: {
    rows: [string, string][];
    total: [string, string];
    note: string;
    parts: string;
    clinic: string;
    terms: string;
  } | null;
  /** The button that opens an order. */
  start: string | null;
  hint: string;
  refunds: string;
};

/** What is paid online, before the press. */
export function PayOnline({ note, fee, hint }: PayWords) {
  return (
    <>
      {note && (
        <Note tone={note.tone} className="mt-2">
          {note.text}
        </Note>
      )}
      {fee && (
        <div className="card mt-2 space-y-1">
          <Amounts items={[...fee.rows, [<b key="t">{fee.total[0]}</b>, <b key="a">{fee.total[1]}</b>]]} />
          <p className="text-sm text-ink-soft">{fee.note}</p>
        </div>
      )}
      <p className="text-sm text-ink-soft mt-2">{hint}</p>
    </>
  );
}

/**
 * The button that pays. It opens an order in the form of the page, and with scripts goes on to the provider in the same press. The form to the provider
 * is the browser's own, so that it works without scripts. `failed`: the answer of a press that opened none.
 */
export function PayPress({ start, checkout, fee, form, failed }: PayWords & { form: string; failed: unknown }) {
  const toProvider = useRef<HTMLFormElement>(null);
  const isPressed = useRef(false);
  useEffect(() => {
    if (failed) isPressed.current = false;
  }, [failed]);
  useEffect(() => {
    if (!checkout || !isPressed.current) return;
    isPressed.current = false;
    toProvider.current?.submit();
  }, [checkout]);
  const words = (label: string) => (
    <span>
      {label} {fee && <small className="block font-normal">{fee.parts}</small>}
    </span>
  );
  return (
    <>
      {start && (
        <SubmitButton
          form={form}
          name="method"
          value="online"
          size="lg"
          className="grow"
          onClick={() => {
            isPressed.current = true;
          }}
        >
          {words(start)}
        </SubmitButton>
      )}
      {checkout && (
        <form ref={toProvider} method="post" action={checkout.action} className="grow">
          {Object.entries(checkout.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Button type="submit" size="lg" full>
            {words(checkout.label)}
          </Button>
        </form>
      )}
    </>
  );
}
