/** What the lists of doctors, hospitals and users share. */
import { m } from "#app/paraglide/messages.js";
import { Finder } from "#app/ui/finder.tsx";
import { Chips } from "#app/ui/nav.tsx";

/** Chips that choose the rows of a list, with the number of rows behind each. */
export function CountChips({ label, chips }: { label: string; chips: { to: string; label: string; count?: number; current: boolean }[] }) {
  return (
    <Chips
      label={label}
      chips={chips.map(({ count, ...chip }) => ({
        ...chip,
        label: count === undefined ? chip.label : m.admin_chip_count({ label: chip.label, count: String(count) }),
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
