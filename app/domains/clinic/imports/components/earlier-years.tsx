import { formatRupees } from "#app/lib/money.ts";
import { formatCount } from "#app/lib/numbers.ts";
import { m } from "#app/paraglide/messages.js";
import { DataTable, Scroll } from "#app/ui/staff/table.tsx";
import type { EarlierYear } from "../earlier-years.ts";

const COLUMNS: [name: () => string, value: (of: EarlierYear) => string][] = [
  [() => m.import_years_appointments(), ({ appointments }) => formatCount(appointments)],
  [() => m.import_years_seen(), ({ seen }) => formatCount(seen)],
  [() => m.import_years_patients(), ({ patients }) => formatCount(patients)],
  [() => m.import_years_missed(), ({ missed }) => formatCount(missed)],
  [() => m.appointments_status_cancelled(), ({ cancelled }) => formatCount(cancelled)],
  [() => m.import_years_fees(), ({ fees }) => formatRupees(fees)],
  [() => m.import_field_paid(), ({ paid }) => formatRupees(paid)],
];

/** The imported history by year, which the owner opens: apart from the figures of Nadi. */
export function EarlierYears({ years }: { years: EarlierYear[] }) {
  if (!years.length) return null;
  return (
    <details className="mt-4">
      <summary>{m.import_years_title()}</summary>
      <p>{m.import_years_text()}</p>
      <Scroll label={m.import_years_title()}>
        <DataTable>
          <thead>
            <tr>
              <th scope="col">{m.import_years_year()}</th>
              {COLUMNS.map(([name]) => (
                <th key={name()} scope="col" className="text-right">
                  {name()}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {years.map((one) => (
              <tr key={one.year}>
                <th scope="row">{one.year}</th>
                {COLUMNS.map(([name, value]) => (
                  <td key={name()} className="num text-right">
                    {value(one)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </DataTable>
      </Scroll>
    </details>
  );
}
