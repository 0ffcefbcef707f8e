/**
 * Reads the search text and page number of a list from its URL, limited to valid values.
 * @param lastPage of the longest list that the page can have. Others are searched, and are not read to the end
 */
export function listState(request: Request, lastPage = 1000): { query: URLSearchParams; search: string; page: number } {
  const query = new URL(request.url).searchParams;
  const search = (query.get("q") ?? "").replaceAll("\0", "").trim().slice(0, 100);
  const page = Math.min(lastPage, Math.max(1, Math.floor(Number(query.get("page")) || 1)));
  return { query, search, page };
}

/**
 * Reads the status that a list shows: `chosen` in the URL ("all" too), and the `status` of its rows, null for all. Without a
 * choice the first status is shown, or all when the list is narrowed by a search or filter.
 */
export function listStatus<S extends string>(query: URLSearchParams, statuses: readonly [S, ...S[]], isNarrowed: boolean) {
  const asked = query.get("status");
  const chosen = statuses.find((one) => one === asked) ?? (asked === "all" ? asked : null);
  const status: S | null = chosen ? (chosen === "all" ? null : (chosen as S)) : isNarrowed ? null : statuses[0];
  return { chosen, status };
}

/** Returns the values that are set, as a form or a URL repeats them. */
export const given = (values: Record<string, string | null | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : [])));

/** Returns the URL of a list. Omits empty values and page 1. */
export function listAddress(path: string, { page = 1, ...rest }: { page?: number; [name: string]: string | number | undefined }): string {
  const query = new URLSearchParams(
    Object.entries(page > 1 ? { ...rest, page } : rest).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
  );
  return `${path}${query.size ? `?${query}` : ""}`;
}
