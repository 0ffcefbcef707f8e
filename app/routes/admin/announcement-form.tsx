/** The form of an announcement, for a new one and for a draft. */
import { MOST_MESSAGE, MOST_TITLE } from "#app/domains/oversight/announcements/lengths.ts";
import { audienceWord } from "#app/domains/oversight/announcements/words.ts";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "#app/lib/language.ts";
import { AUDIENCES, type Audience } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, RadioPicks, SubmitButton, TextArea, TextField, useNadiForm } from "#app/ui/form.tsx";

export type AnnouncementFields = { audience?: string; ends?: string } & Partial<Record<`${"title" | "message"}_${Language}`, string>>;

const OF_PLACE: readonly Audience[] = ["members", "place-doctors"];

export function AnnouncementForm({
  place,
  values,
  result,
}: {
  /** With a place only its people can be chosen. */
  place: { id: string; name: string } | null;
  values?: AnnouncementFields;
  result: Parameters<typeof useNadiForm>[0]["lastResult"];
}) {
  const [form, fields] = useNadiForm<AnnouncementFields>({ id: "announcement", lastResult: result, defaultValue: values });
  const choices = AUDIENCES.filter((one) => OF_PLACE.includes(one) === (place !== null));
  return (
    <Form form={form}>
      {place && <input type="hidden" name="hospital" value={place.id} />}
      <section className="card">
        <RadioPicks
          field={fields.audience}
          label={m.announce_audience()}
          hint={place ? undefined : m.announce_audience_hint()}
          options={choices.map((value) => ({ value, label: audienceWord(value, place?.name) }))}
        />
        <TextField field={fields.ends} type="date" label={m.announce_ends()} hint={m.announce_ends_hint()} />
      </section>
      <p className="text-sm text-ink-soft mt-2 mb-3">{m.announce_text_hint()}</p>
      {LANGUAGES.map((one) => (
        <section key={one} className="card mt-4" aria-labelledby={`h-${one}`}>
          <h2 id={`h-${one}`} className="mb-3" lang={one}>
            {LANGUAGE_NAMES[one]}
          </h2>
          <TextField field={fields[`title_${one}`]} label={m.announce_title()} optional maxLength={MOST_TITLE} lang={one} />
          <TextArea field={fields[`message_${one}`]} label={m.announce_message()} optional rows={4} maxLength={MOST_MESSAGE} lang={one} />
        </section>
      ))}
      <SubmitButton full>{m.announce_preview()}</SubmitButton>
    </Form>
  );
}
