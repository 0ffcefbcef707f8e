import { m } from "#app/paraglide/messages.js";
import { Note } from "#app/ui/pieces.tsx";

/** Shows who else has this case open; nothing for none. `names` may contain empty strings. */
export function CaseCompany({ names }: { names: string[] }) {
  if (!names.length) return null;
  return <Note className="mt-4">{m.cases_also_looking({ names: names.map((name) => name || m.cases_a_colleague()).join(", ") })}</Note>;
}
