/**
 * The one error type of the product: a refusal a person can be told about.
 * Domains throw it; `http/refusals.server.ts` maps the code to an HTTP status and a sentence.
 */
export type RefusalCode =
  | "not-found" // it does not exist, or it is not yours: the answer is the same
  | "unauthenticated"
  | "forbidden"
  | "unproven" // a sensitive action needs a fresh proof of who acts (accounts/proof.ts)
  | "invalid" // a field is wrong; see `fields`
  | "conflict" // the state has moved on
  | "slot-taken"
  | "too-many" // see `retryAfterSeconds`
  | "too-large"
  | "unsupported-type"
  | "unavailable"; // a part we need is away

export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: RefusalCode;
  /** Sentence for the person, from the message catalogue; the code's own sentence when absent. */
  readonly sentence: string | undefined;
  /** Sentences beside single fields. */
  readonly fields: Record<string, string[]> | undefined;
  /** Whole seconds until a try makes sense again (code `too-many` and `unavailable`). */
  readonly retryAfterSeconds: number | undefined;
  /** What the page needs to show the true state, for example the nearest free slots. Never secret. */
  readonly detail: unknown;

  constructor(
    code: RefusalCode,
    sentence?: string,
    more: { fields?: Record<string, string[]>; retryAfterSeconds?: number; detail?: unknown; cause?: unknown } = {},
  ) {
    super(`${code}${sentence ? `: ${sentence}` : ""}`, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.sentence = sentence;
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.detail = more.detail;
  }
}
