import type { ProfileForm } from "./profile.schema.ts";
import type { OwnProfile } from "./queries.server.ts";

/** Fields that say something about a file of the form, not about the profile. */
type OfFile = "photo" | "photoReceived" | "removePhoto";

/** Returns the fields of the form as they are stored: what a caller leaves out stays. A new field is refused by its type until it is here. */
export const storedForm = ({ name, dateOfBirth, gender, noAllergies }: OwnProfile) =>
  ({
    name: name ?? undefined,
    dateOfBirth: dateOfBirth ?? undefined,
    gender: gender ?? undefined,
    noAllergies,
  }) satisfies Record<Exclude<keyof ProfileForm, OfFile>, unknown>;
