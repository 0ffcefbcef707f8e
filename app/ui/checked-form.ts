import { type SubmissionResult, useForm } from "@conform-to/react";
import { useRef } from "react";
import { useAnswer } from "./form.tsx";

type Values = Record<string, unknown>;
type Validate<Schema extends Values> = NonNullable<Parameters<typeof useForm<Schema, Schema, string[]>>[0]["onValidate"]>;

/**
 * `useNadiForm` with Conform in the browser, for pages that validate there or have lists of fields. No zod here: `validateWith(Schema)`
 * (validate.ts) loads zod in the page's chunk.
 * @param options.correct from `validateWith(Schema)`: validates on submit; an error disappears when its field is corrected
 * @param options.validate from `validateWith(Schema)`: validates on blur, with JavaScript only
 */
export function useCheckedForm<Schema extends Values>(options: {
  id: string;
  lastResult?: SubmissionResult<string[]> | null | undefined;
  defaultValue?: { [Key in keyof Schema]?: unknown };
  validate?: Validate<Schema>;
  correct?: Validate<Schema>;
}) {
  const { id, lastResult, defaultValue, validate, correct } = options;
  const intent = useRef<FormDataEntryValue | null>(null);
  useAnswer(id, lastResult);
  return useForm<Schema, Schema, string[]>({
    id,
    lastResult,
    defaultValue: defaultValue as never,
    defaultNoValidate: true,
    onValidate: validate ?? (correct && lastIntent(correct, intent)),
    shouldValidate: validate ? "onBlur" : "onSubmit",
    shouldRevalidate: validate || correct ? "onInput" : "onSubmit",
  });
}

/** Validates a corrected field for the button that was pressed last. */
const lastIntent =
  <Schema extends Values>(correct: Validate<Schema>, intent: { current: FormDataEntryValue | null }): Validate<Schema> =>
  (given) => {
    intent.current = given.formData.get("intent") ?? intent.current;
    if (intent.current !== null) given.formData.set("intent", intent.current);
    return correct(given);
  };
