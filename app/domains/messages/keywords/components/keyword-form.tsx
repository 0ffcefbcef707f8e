import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Card } from "#app/ui/pieces.tsx";

type Own = { practiceId: string; keyword: string | null };

/** The word of one practice. `result`: of the last post, also of another practice on the page. */
export function KeywordForm({
  own: { practiceId, keyword },
  label,
  result,
}: {
  own: Own;
  label: string;
  result: Parameters<typeof useNadiForm>[0]["lastResult"];
}) {
  const isOwn = result?.initialValue?.practiceId === practiceId;
  const [form, fields] = useNadiForm<{ keyword: string }>({
    id: `k-${practiceId}`,
    lastResult: isOwn ? result : null,
    defaultValue: { keyword: keyword ?? "" },
  });
  return (
    <Card>
      <Form form={form}>
        <input type="hidden" name="practiceId" value={practiceId} />
        <TextField
          field={fields.keyword}
          label={label}
          hint={m.keyword_form()}
          maxLength={15}
          autoComplete="off"
          autoCapitalize="characters"
        />
        <SubmitButton className="mt-2" variant="second">
          {m.keyword_save()}
        </SubmitButton>
      </Form>
    </Card>
  );
}
