import { useCallback, useEffect, useRef } from "react";
import { type DataStrategyResult, type MiddlewareFunction, useMatches, useRevalidator } from "react-router";
import { hasNotArrived, SEND_AGAIN } from "./unsent-form.ts";

/** A reload in the background: the page's address and data when it began, by route, and whether the server was reached. */
type Reload = { url: string; shown: ReadonlyMap<string, unknown>; reached: boolean };
const running = new Set<Reload>();

/**
 * Returns a function that reloads the page's data in the background. Without a network the page keeps what it shows, and the reload
 * is repeated until it succeeds; React Router would replace the page with the error page.
 */
export function useQuietReload(): () => Promise<void> {
  const { revalidate } = useRevalidator();
  const matches = useMatches();
  const latest = useRef(matches);
  const mounted = useRef(true);
  const again = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    latest.current = matches;
  }, [matches]);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
      clearTimeout(again.current);
    };
  }, []);
  return useCallback(
    async function reload(): Promise<void> {
      clearTimeout(again.current);
      const shown = new Map(latest.current.map(({ id, loaderData }) => [id, loaderData]));
      const now: Reload = { url: withoutHash(location.href), shown, reached: true };
      running.add(now);
      try {
        await revalidate();
      } finally {
        running.delete(now);
      }
      // A page that was left has loaded its own data.
      if (now.reached || !mounted.current || withoutHash(location.href) !== now.url) return;
      clearTimeout(again.current);
      again.current = setTimeout(() => void reload(), SEND_AGAIN);
    },
    [revalidate],
  );
}

/** What the page shows, by route. */
let shownNow: ReadonlyMap<string, unknown> = new Map();
/** The page whose form was answered with data last, not with a redirect: it loads its data again. */
let answeredAt: string | null = null;

/** Remembers what the page shows. For the root component. */
export function useShownData(): void {
  const matches = useMatches();
  useEffect(() => rememberShown(matches), [matches]);
}

export function rememberShown(matches: { id: string; loaderData?: unknown }[]): void {
  shownNow = new Map(matches.map(({ id, loaderData }) => [id, loaderData]));
}

/**
 * Client middleware: after a network failure a background reload ends with the data that the page shows already. So does the reload after an
 * form that was answered with data: its errors and the typed text stay, where React Router would show the error page. After a redirect to the
 * same page they do not: what the page shows is from before the form.
 */
export const keepShownData: MiddlewareFunction<Record<string, DataStrategyResult>> = async ({ request }, next) => {
  const results = await next();
  const url = withoutHash(request.url);
  if (request.method !== "GET") {
    answeredAt = Object.values(results).some(({ type }) => type === "data") ? url : null;
    return results;
  }
  for (const reload of running) if (reload.url === url && keepShown(reload.shown, results)) reload.reached = false;
  if (answeredAt === url) keepShown(shownNow, results);
  answeredAt = null;
  return results;
};

/** Replaces each network failure among the results by what the page shows. Returns whether there was one. */
function keepShown(shown: ReadonlyMap<string, unknown>, results: Record<string, DataStrategyResult>): boolean {
  let isKept = false;
  for (const [id, result] of Object.entries(results)) {
    if (!hasNotArrived(result) || !shown.has(id)) continue;
    isKept = true;
    result.type = "data";
    result.result = shown.get(id);
  }
  return isKept;
}

const withoutHash = (url: string) => url.split("#")[0]!;
