import type { Role } from "#app/db/schema/index.ts";

/** Minimum password length by role. That of doctors is the specification's (000 §5), with its own sentence. */
export const PASSWORD_MINIMUM: Record<Exclude<Role, "patient">, number> = { doctor: 6, reviewer: 12, admin: 12, staff: 12 };
