import { leafOf } from "#app/lib/dates.ts";

/** A day ("2026-11-22") as a calendar leaf. */
export function DateLeaf({ date }: { date: string }) {
  const { weekday, day, month } = leafOf(date);
  return (
    <p className="min-w-18 flex-none overflow-hidden rounded-md rounded-br-[1.25rem] border-[1.5px] border-brand bg-card px-1 pb-2 text-center text-[0.875rem] leading-[1.1] font-medium text-ink in-data-deep:border-white">
      <i className="-mx-1 block bg-brand p-[0.2rem] font-bold text-on-brand not-italic">{weekday}</i>{" "}
      <b className="block pt-[0.3rem] text-2xl tabular-nums">{day}</b> {month}
    </p>
  );
}
