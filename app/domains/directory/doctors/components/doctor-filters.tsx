import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Count } from "#app/ui/pieces.tsx";
import { DOCTOR_FILTERS, type DoctorFilters, FILTER_NAMES, type FilterName, filtersInUse } from "../doctor-filters.ts";
import { languageWord } from "../names.ts";

/** The label of each filter, the word for "any", and the word of a value. */
const WORDS: Record<FilterName, { label: () => string; any: () => string; value: (value: string) => string }> = {
  day: {
    label: () => m.directory_filter_day(),
    any: () => m.directory_filter_day_any(),
    value: (value) => (value === "today" ? m.directory_filter_today() : m.directory_filter_tomorrow()),
  },
  fee: {
    label: () => m.directory_filter_fee(),
    any: () => m.directory_filter_fee_any(),
    value: (value) => formatRupees(Number(value) * 100),
  },
  within: {
    label: () => m.directory_filter_distance(),
    any: () => m.directory_filter_distance_any(),
    value: (value) => m.directory_km({ km: value }),
  },
  gender: {
    label: () => m.directory_filter_gender(),
    any: () => m.directory_filter_gender_any(),
    value: (value) => (value === "female" ? m.directory_filter_woman() : m.directory_filter_man()),
  },
  language: { label: () => m.directory_filter_language(), any: () => m.directory_filter_language_any(), value: languageWord },
};
/** What is filtered, as it is shown above the list: "Up to ₹500". */
function inUseWord(name: FilterName, value: string): string {
  if (name === "fee") return m.directory_filter_fee_to({ fee: WORDS.fee.value(value) });
  if (name === "within") return m.directory_within({ km: value });
  return WORDS[name].value(value);
}

/** The summary of the folded filters: how many are in use. */
export function FiltersHead({ filters }: { filters: DoctorFilters }) {
  const count = filtersInUse(filters).length;
  return (
    <>
      {m.directory_filters()}
      {count > 0 && (
        <>
          {" "}
          <Count>{count}</Count>
        </>
      )}
      <Icon name="chevron-down" small className="group-open:rotate-180" />
    </>
  );
}

/** The fields of the filters: buttons for few values, a list for the languages. */
export const FilterFields = ({ filters }: { filters: DoctorFilters }) =>
  FILTER_NAMES.map((name) => {
    const { label, any, value } = WORDS[name];
    const values: readonly string[] = DOCTOR_FILTERS[name];
    if (name === "language")
      return (
        <div className="field mt-5" key={name}>
          <label className="label" htmlFor={name}>
            {label()}
          </label>
          <select className="input" id={name} name={name} defaultValue={filters[name] ?? ""}>
            <option value="">{any()}</option>
            {values.map((one) => (
              <option key={one} value={one}>
                {value(one)}
              </option>
            ))}
          </select>
        </div>
      );
    return (
      <fieldset className="mt-5" key={name}>
        <legend>{label()}</legend>
        <div className="options">
          {["", ...values].map((one) => (
            <label key={one}>
              <input type="radio" name={name} value={one} defaultChecked={one === (filters[name] ?? "")} />
              <span className="chip">{one ? value(one) : any()}</span>
            </label>
          ))}
        </div>
      </fieldset>
    );
  });

/** The filters in use, each with a link that removes it, and one that removes all. `to`: the address with these filters. */
export function FiltersInUse({ filters, to }: { filters: DoctorFilters; to: (filters: Partial<DoctorFilters>) => string }) {
  const inUse = filtersInUse(filters);
  if (inUse.length === 0) return null;
  const remove = (name: string) => m.directory_filter_remove({ name });
  return (
    <p className="flex flex-wrap gap-y-0 gap-x-4">
      {inUse.map((name) => {
        const word = inUseWord(name, filters[name] ?? "");
        return (
          <LinkButton
            key={name}
            variant="quiet"
            size="sm"
            to={to({ ...filters, [name]: null })}
            aria-label={remove(word)}
            preventScrollReset
          >
            {word}
            <Icon name="x" small />
          </LinkButton>
        );
      })}
      {inUse.length > 1 && (
        <LinkButton variant="quiet" size="sm" to={to({})} preventScrollReset>
          {m.directory_filter_clear()}
        </LinkButton>
      )}
    </p>
  );
}
