import { createMultiMatcher, type MultiMatcher } from "@remix-run/route-pattern/match";
import type { AnyEndpoint, EndpointTable } from "./endpoint.ts";

type Named = { name: string; entry: AnyEndpoint };
/** The calls of one path by method. */
type Calls = Map<string, Named>;

const matchers = new WeakMap<EndpointTable, MultiMatcher<Calls>>();

function matcherOf(table: EndpointTable): MultiMatcher<Calls> {
  const known = matchers.get(table);
  if (known) return known;
  const paths = new Map<string, Calls>();
  for (const [name, entry] of Object.entries(table)) {
    const calls = paths.get(entry.path) ?? new Map<string, Named>();
    paths.set(entry.path, calls.set(entry.method, { name, entry }));
  }
  const matcher = createMultiMatcher<Calls>();
  for (const [path, calls] of paths) matcher.add(`${path.replace(/\{(\w+)\}/g, ":$1")}(/)`, calls);
  matchers.set(table, matcher);
  return matcher;
}

/** Returns the calls at a path by method, and the parameters of the path; null when there are none. Prefers paths without parameters. */
export function callsAt(table: EndpointTable, { pathname }: { pathname: string }): { calls: Calls; params: Record<string, string> } | null {
  const url = new URL("http://api");
  url.pathname = pathname;
  const found = matcherOf(table).match(url);
  return found && { calls: found.data, params: found.params as Record<string, string> };
}
