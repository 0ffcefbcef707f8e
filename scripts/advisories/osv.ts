/** Known vulnerabilities of our packages in the form of OSV (ossf.github.io/osv-schema), and which locked versions they affect. */
import { z } from "zod";

const Event = z.object({ introduced: z.string(), fixed: z.string(), last_affected: z.string(), limit: z.string() }).partial();
const Range = z.object({ type: z.string(), events: z.array(Event) });
const Affected = z.object({
  package: z.object({ ecosystem: z.string(), name: z.string() }),
  ranges: z.array(Range).default([]),
  versions: z.array(z.string()).optional(),
});
/** A record, without the fields that nothing reads. */
const Advisory = z.object({
  id: z.string().regex(/^[A-Za-z]+-[\w-]+$/),
  modified: z.string(),
  withdrawn: z.string().optional(),
  summary: z.string().optional(),
  affected: z.array(z.looseObject({ package: z.looseObject({ ecosystem: z.string(), name: z.string() }).optional() })).default([]),
});
export type StoredAdvisory = { id: string; modified: string; summary?: string; affected: z.infer<typeof Affected>[] };

/** @internal The file `list.json`. `exported`: the day of the last whole export that was read; null: none yet, so the list is not complete. */
export const StoredList = z.object({
  exported: z.string().nullable(),
  source: z.string(),
  advisories: z.array(z.object({ id: z.string(), modified: z.string(), summary: z.string().optional(), affected: z.array(Affected) })),
});

/** Packages of a lock file by name, with their versions and whether the product needs them to run. */
export type Locked = Map<string, Map<string, "runs" | "builds">>;
export function readLock(lock: {
  packages: Record<string, { version?: string; name?: string; dev?: boolean; devOptional?: boolean }>;
}): Locked {
  const found: Locked = new Map();
  for (const [path, { version, name, dev, devOptional }] of Object.entries(lock.packages)) {
    // The first entry is this project.
    if (!path || !version) continue;
    const versions = found.get(name ?? path.split("node_modules/").at(-1)!) ?? new Map();
    if (versions.get(version) !== "runs") versions.set(version, dev || devOptional ? "builds" : "runs");
    found.set(name ?? path.split("node_modules/").at(-1)!, versions);
  }
  return found;
}

/**
 * Returns what is stored of a record: its parts about our packages. Null for one that is withdrawn or about none of them.
 * @throws for a record that is not in the form of OSV, so that no part of an export is lost in silence
 */
export function keepOurs(record: unknown, ours: { has(name: string): boolean }): StoredAdvisory | null {
  const { id, modified, withdrawn, summary, affected } = Advisory.parse(record);
  const own = affected.filter(({ package: of }) => of?.ecosystem === "npm" && ours.has(of.name)).map((one) => Affected.parse(one));
  if (withdrawn !== undefined || !own.length) return null;
  return { id, modified, ...(summary !== undefined && { summary }), affected: own };
}

/** Returns "advisory package@version" of each locked version that an advisory affects. */
export function findAffected(advisories: readonly StoredAdvisory[], locked: Locked): { id: string; at: string; use: "runs" | "builds" }[] {
  return advisories.flatMap(({ id, affected }) =>
    affected.flatMap((one) =>
      [...(locked.get(one.package.name) ?? [])].flatMap(([version, use]) =>
        isAffected(version, one) ? [{ id, at: `${one.package.name}@${version}`, use }] : [],
      ),
    ),
  );
}

/** By the algorithm of OSV's schema: listed, or in a range. A range of commits says nothing about versions. */
function isAffected(version: string, { versions, ranges }: z.infer<typeof Affected>): boolean {
  return versions?.includes(version) || ranges.some(({ type, events }) => type !== "GIT" && isInRange(version, events));
}

function isInRange(version: string, events: readonly z.infer<typeof Event>[]): boolean {
  const steps = events
    .flatMap(({ introduced, fixed, last_affected: last }) => [
      ...(introduced === undefined ? [] : [{ at: introduced, to: true, after: false }]),
      ...(fixed === undefined ? [] : [{ at: fixed, to: false, after: false }]),
      ...(last === undefined ? [] : [{ at: last, to: false, after: true }]),
    ])
    .sort((a, b) => compareVersions(a.at, b.at) || Number(a.after) - Number(b.after));
  let affected = false;
  for (const { at, to, after } of steps) {
    const order = compareVersions(version, at);
    if (after ? order > 0 : order >= 0) affected = to;
  }
  return affected;
}

/** @internal Compares two versions as semver 2.0.0 orders them (§11): a pre-release is before its release. "0" is before all. */
export function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  if (a === "0" || b === "0") return a === "0" ? -1 : 1;
  const [x, y] = [partsOf(a), partsOf(b)];
  for (let i = 0; i < 3; i++) if (x.numbers[i] !== y.numbers[i]) return x.numbers[i]! - y.numbers[i]!;
  if (!x.before.length || !y.before.length) return y.before.length - x.before.length;
  for (let i = 0; i < Math.max(x.before.length, y.before.length); i++) {
    const [one, other] = [x.before[i], y.before[i]];
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
    if (one === other) continue;
    const numeric = [one, other].map((part) => /^\d+$/.test(part));
    if (numeric[0] && numeric[1]) return Number(one) - Number(other);
    if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return 0;
}
function partsOf(version: string): { numbers: number[]; before: string[] } {
  const found = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([\w.-]+))?(?:\+[\w.-]+)?$/.exec(version);
  if (!found) throw new Error(`not a version: ${version}`);
  return { numbers: [found[1], found[2], found[3]].map((part) => Number(part ?? 0)), before: found[4]?.split(".") ?? [] };
}
