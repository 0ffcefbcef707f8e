import { Button } from "#app/ui/button.tsx";
import { SubmitButton } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";

/** What the page shows of an online payment, in the words of the server: no other page's scripts carry them. */
export type PayWords = {
  note: { tone: "ok" | "warn"; text: string } | null;
  /** The form to the provider's page. */
  checkout: { action: string; fields: Readonly<Record<string, string>>; label: string } | null;
  /** The button that opens an order. */
  start: string | null;
  hint: string;
  refunds: string;
};

/** The way to the provider's page. The form is the browser's own, so that it works without scripts. */
export function PayCheckout({ note, checkout, hint }: PayWords) {
  return (
    <>
      {note && (
        <Note tone={note.tone} className="mt">
          {note.text}
        </Note>
      )}
      {checkout && (
        <form method="post" action={checkout.action} className="mt stack">
          {Object.entries(checkout.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Button type="submit" size="lg" full icon="indian-rupee">
            {checkout.label}
          </Button>
          <p className="small soft">{hint}</p>
        </form>
      )}
    </>
  );
}

/** The button that opens an order, in the form of the page. */
export const StartPaying = ({ start, hint }: PayWords) =>
  start && (
    <SubmitButton name="method" value="online" size="lg" full icon="indian-rupee">
      <span>
        {start} <small>{hint}</small>
      </span>
    </SubmitButton>
  );
