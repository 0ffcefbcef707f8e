import { hours } from "#app/lib/durations.ts";

/** A retired model is called again after this long: the service may have lost it by mistake. */
export const ASK_AGAIN = hours(1);

/** A model of the list. `retiredSince`: when its retirement was noticed, null while it answers. */
export type ModelState = { readonly name: string; readonly retiredSince: Date | null };

/**
 * Remembers which models of the list the service no longer has. `now`: milliseconds of any clock. `onRetired` is called once for
 * each model until it answers again, with the model that is called instead.
 */
export function modelList(
  names: readonly string[],
  { now, onRetired = () => undefined }: { now: () => number; onRetired?: (name: string, next: string | null) => void },
) {
  const models = names.map((name) => ({ name, retiredSince: null as Date | null, askAgainAt: 0 }));
  const usable = () => models.find((model) => model.retiredSince === null || now() >= model.askAgainAt)?.name ?? null;
  const named = (name: string) => models.find((model) => model.name === name);
  return {
    states: models as readonly ModelState[],
    /** Returns the model to call; null when all are retired. */
    usable,
    retire(name: string): void {
      const model = named(name);
      if (!model) return;
      const isNews = model.retiredSince === null;
      model.retiredSince ??= new Date();
      model.askAgainAt = now() + ASK_AGAIN;
      if (isNews) onRetired(name, usable());
    },
    answered(name: string): void {
      const model = named(name);
      if (model) model.retiredSince = null;
    },
  };
}
