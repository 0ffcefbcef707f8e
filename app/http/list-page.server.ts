import { redirectTo } from "./redirects.server.ts";

/** Redirects from a page after the end of a list to its last page. @throws Response */
export function toLastPage(request: Request, page: number, total: number, size = 20): void {
  const last = Math.max(1, Math.ceil(total / size));
  if (page <= last) return;
  const url = new URL(request.url);
  if (last === 1) url.searchParams.delete("page");
  else url.searchParams.set("page", String(last));
  throw redirectTo(url.pathname.replace(/\.data$/, "") + url.search);
}
