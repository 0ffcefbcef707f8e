import { Button } from "#app/ui/button.tsx";
import { SubmitButton } from "#app/ui/form.tsx";
import { Amounts } from "#app/ui/members/amounts.tsx";
import { Note } from "#app/ui/pieces.tsx";

/** What the page shows of an online payment, in the words of the server: no other page's scripts carry them. */
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

/** The way to the provider's page. The form is the browser's own, so that it works without scripts. */
export function PayCheckout({ note, checkout, fee, hint }: PayWords) {
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
      {checkout && (
        <form method="post" action={checkout.action} className="mt-2 space-y-4">
          {Object.entries(checkout.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Button type="submit" size="lg" full icon="indian-rupee">
            {fee ? (
              <span>
                {checkout.label} <small className="block font-normal">{fee.parts}</small>
              </span>
            ) : (
              checkout.label
            )}
          </Button>
          <p className="text-sm text-ink-soft">{hint}</p>
        </form>
      )}
    </>
  );
}

/** The button that opens an order, in the form of the page. */
export const StartPaying = ({ start, fee, hint }: PayWords) =>
  start && (
    <SubmitButton name="method" value="online" size="lg" full icon="indian-rupee">
      <span>
        {start} <small className="block font-normal">{fee ? `${fee.parts}. ${hint}` : hint}</small>
      </span>
    </SubmitButton>
  );
