/**
 * The longest texts that forms accept, where many forms ask for the same. The schema refuses more (`max`), the field takes no more
 * (`maxLength`). A limit that one feature has is a constant of its own beside its schema.
 */

/** A line: a name, a specialization, a bank. */
export const MAX_LINE = 120;
/** An email address (RFC 5321). */
export const MAX_EMAIL = 254;
