import { z } from "zod";
import { MAX_EMAIL } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import { shownNotice } from "./privacy-notice.schema.ts";

const base64url = z.string().regex(/^[A-Za-z0-9_-]{1,8000}$/);
const common = {
  id: base64url.max(1400),
  rawId: base64url.max(1400),
  type: z.literal("public-key"),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};

/** A browser's response as JSON in a form field. */
const jsonOf = <S extends z.ZodType>(schema: S) =>
  z
    .string({ error: () => m.passkeys_failed() })
    .max(20_000, { error: () => m.passkeys_failed() })
    .transform((text, context): z.output<S> => {
      try {
        const parsed = schema.safeParse(JSON.parse(text));
        if (parsed.success) return parsed.data;
      } catch {
        // Invalid JSON is refused like any other wrong response.
      }
      context.addIssue({ code: "custom", message: m.passkeys_failed() });
      return z.NEVER;
    });

const NewCredential = jsonOf(
  z.object({
    ...common,
    response: z.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: z
        .array(z.string().regex(/^[\w-]{1,20}$/))
        .max(10)
        .default([]),
    }),
  }),
);
/** The answer to a challenge with a known passkey. */
const Assertion = jsonOf(
  z.object({
    ...common,
    response: z.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: base64url.optional(),
    }),
  }),
);
export type NewCredential = z.output<typeof NewCredential>;
export type Assertion = z.output<typeof Assertion>;

const name = z
  .string({ error: () => m.passkeys_name_required() })
  .trim()
  .min(1, { error: () => m.passkeys_name_required() })
  .max(60, { error: () => m.passkeys_name_long() });

export const PasskeyNameSchema = z.object({ name });
export const PasskeyAddSchema = z.object({ name, credential: NewCredential });
export const PasskeyLoginSchema = z.object({
  email: z.string().trim().toLowerCase().max(MAX_EMAIL).optional(),
  notice: shownNotice,
  credential: Assertion,
});
export const PasskeyAnswerSchema = z.object({ credential: Assertion });
/** The request for the options of the browser call. */
export const PasskeyOptionsSchema = z.object({ purpose: z.enum(["add", "login", "confirm"]) });
