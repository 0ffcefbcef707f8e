/** Filters of a list: a GET form that opens below the search, and the facts of what is chosen. Works without JavaScript. */
import type { ReactNode } from "react";
import { Form } from "react-router";
import { formatDate } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "../button.tsx";
import { Icon } from "../icon.tsx";
import { Facts } from "../pieces.tsx";

/**
 * @param preserve values of the URL that the form must not lose: search, status, order
 * @param filters one field each, in their order
 * @param reset URL of the list without filters
 */
export function Filters({
  action,
  preserve = {},
  filters,
  reset,
  note,
}: {
  action: string;
  preserve?: Record<string, string>;
  filters: readonly Filter[];
  reset: string;
  note?: ReactNode;
}) {
  const chosen = filters.map((filter) => [filter.label, filter.value && wordOf(filter, filter.value)] as const);
  const filtered = chosen.some(([, value]) => value);
  return (
    <>
      <details className="group open:mb-4" key={String(filtered)}>
        <summary className="flex w-fit list-none items-center gap-1.5 [&::-webkit-details-marker]:hidden">
          {m.ui_filter()}
          <Icon name="chevron-down" small className="group-open:rotate-180" />
        </summary>
        <Form action={action} className="card" key={JSON.stringify([preserve, chosen])}>
          {Object.entries(preserve).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,14rem),1fr))] items-end gap-3 *:mt-0">
            {filters.map((filter) => (
              <FilterField key={filter.name} filter={filter} />
            ))}
            <Button type="submit">{m.ui_filter_show()}</Button>
            <LinkButton to={reset} variant="quiet">
              {m.ui_filter_reset()}
            </LinkButton>
          </div>
          {note}
        </Form>
      </details>
      {filtered && (
        <div className="card row flex-wrap justify-between mb-3">
          <Facts items={chosen} />
          <LinkButton to={reset} variant="quiet" size="sm" icon="x" className="pl-0">
            {m.ui_filter_reset()}
          </LinkButton>
        </div>
      )}
    </>
  );
}

/** A text, a day, one of `values`, or `hidden`: set by a link only. `word`: how a value is shown. */
export type Filter = { name: string; label: string; value: string | undefined } & (
  | { type?: "text" | "date" | "hidden"; placeholder?: string; word?: (value: string) => string; values?: undefined }
  | { type?: undefined; values: readonly string[]; word?: (value: string) => string }
);

const wordOf = ({ type, word }: Filter, value: string) => (word ? word(value) : type === "date" ? formatDate(value) : value);

function FilterField({ filter }: { filter: Filter }) {
  const { name, label, value, values, type = "text" } = filter;
  if (type === "hidden") return value && <input type="hidden" name={name} value={value} />;
  return (
    <div className="field">
      <label className="label" htmlFor={`f-${name}`}>
        {label}
      </label>
      {values ? (
        <select className="input" id={`f-${name}`} name={name} defaultValue={value ?? ""}>
          <option value="">{m.ui_filter_any()}</option>
          {values.map((v) => (
            <option key={v} value={v}>
              {wordOf(filter, v)}
            </option>
          ))}
        </select>
      ) : (
        <input
          className="input"
          id={`f-${name}`}
          name={name}
          type={type}
          defaultValue={value}
          placeholder={filter.placeholder}
          maxLength={type === "date" ? undefined : 100}
        />
      )}
    </div>
  );
}
