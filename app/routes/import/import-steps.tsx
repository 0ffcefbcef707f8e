import { isWorking } from "#app/domains/clinic/imports/import.state.ts";
import { useNadiForm } from "#app/ui/form.tsx";
import { Check } from "./check-page.tsx";
import { Columns } from "./columns-page.tsx";
import { Done, Running } from "./done-page.tsx";
import type { ImportData, Result } from "./import-parts.tsx";

/** Steps 2 to 4, as the state of the import says. */
export function ImportSteps({ data, result }: { data: ImportData; result: Result }) {
  const [form] = useNadiForm({ id: "import", lastResult: result });
  const base = data.paths.upload;
  const shared = { data, form, base, here: `${base}/${data.id}` };
  if (data.showsColumns) return <Columns {...shared} />;
  if (isWorking(data.state)) return <Running {...shared} />;
  if (data.state === "checked") return <Check {...shared} />;
  return <Done {...shared} />;
}
