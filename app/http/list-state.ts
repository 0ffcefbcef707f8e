/** What the address of a long list says: the text searched for and the page, within reason whatever was typed. */
export function listState(request: Request): { query: URLSearchParams; search: string; page: number } {
  const query = new URL(request.url).searchParams;
  const search = (query.get("q") ?? "").replaceAll("\0", "").trim().slice(0, 100);
  const page = Math.min(1000, Math.max(1, Math.floor(Number(query.get("page")) || 1)));
  return { query, search, page };
}

/** The address of such a list: what is empty, and the first page, are left out. */
export function listAddress(path: string, { page = 1, ...said }: { page?: number; [name: string]: string | number | undefined }): string {
  const query = new URLSearchParams(
    Object.entries(page > 1 ? { ...said, page } : said).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
  );
  return `${path}${query.size ? `?${query}` : ""}`;
}
