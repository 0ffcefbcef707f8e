/** Codes of `DomainError`. `http/refusals.server.ts` maps each to an HTTP status and a message. */
export type RefusalCode =
  | "not-found" // also for a row of another user, so that ids do not reveal what exists
  | "unauthenticated"
  | "forbidden"
  | "unproven" // a sensitive action needs recent re-authentication (accounts/proof.ts)
  | "invalid" // a field is wrong; see `fields`
  | "conflict" // the state has changed meanwhile
  | "slot-taken"
  | "too-many" // see `retryAfterSeconds`
  | "too-large"
  | "unsupported-type"
  | "unavailable"; // a service we need is down

/** The one error type of the product: a command refuses, and the user can be shown why. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: RefusalCode;
  /** Message for the user. Default: the message of the code. */
  readonly sentence: string | undefined;
  /** Messages by field name. */
  readonly fields: Record<string, string[]> | undefined;
  /** Whole seconds until a retry makes sense (codes `too-many` and `unavailable`). */
  readonly retryAfterSeconds: number | undefined;
  /** Data for the page to show the current state, for example the nearest free slots. Never secret. */
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
