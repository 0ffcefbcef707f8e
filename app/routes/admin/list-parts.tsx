/** What the lists of doctors, hospitals and users share. */
import { formatCount } from "#app/lib/numbers.ts";
import { m } from "#app/paraglide/messages.js";
import { Finder } from "#app/ui/finder.tsx";
import { Chips } from "#app/ui/nav.tsx";

type CountChip = { to: string; label: string; count?: number; current: boolean };
/** Chips that choose the rows of a list, with the number of rows behind each. `most`: a larger number is shown as "10,000+". */
export function CountChips({ label, chips, most = Number.POSITIVE_INFINITY }: { label: string; chips: CountChip[]; most?: number }) {
  const written = (count: number) => (count > most ? formatCount(count, most) : String(count));
  return (
    <Chips
      label={label}
      chips={chips.map(({ count, ...chip }) => ({
        ...chip,
        label: count === undefined ? chip.label : m.admin_chip_count({ label: chip.label, count: written(count) }),
      }))}
    />
  );
}

/** The search of a list. `clear`: its URL without the search. */
export function ListSearch({
  clear,
  ...search
}: {
  action: string;
  label: string;
  placeholder: string;
  text: string;
  preserve: Record<string, string>;
  clear: string;
}) {
  return <Finder {...search} button={m.cases_search()} clear={{ to: clear, label: m.cases_clear_search() }} />;
}
