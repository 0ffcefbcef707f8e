/** What a proof is, and how its figures get into docs/proof.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

export type Figure = {
  what: string;
  /** With its unit. */
  value: string;
  /** What was asked for, where something was. */
  target?: string;
  /** Whether it was reached; absent without a target. */
  met?: boolean;
  /** A time, a rate or a ratio of times: without a target in the short form, whose processes have just started and run beside others. */
  timed?: boolean;
  /** Printed, and not written into docs/proof.md: counts of what a run did. */
  detail?: boolean;
};
export type Proof = {
  title: string;
  /** Debian packages that the proof needs and this machine lacks. Such a proof takes minutes: the short form of all leaves it out. */
  missing?(): readonly string[];
  /** The tests of `npm test` that check the same with fewer cases: the short form of all leaves the proof out. */
  test?: string;
  /** Its figures need the whole machine also in the short form. */
  alone?: boolean;
  run(options: {
    /** As one of all, in about a minute. */
    short: boolean;
    /** How long a long run takes, where the user chose. */
    minutes?: number;
    /** The first seed of a simulation: a run that was stopped goes on with it. */
    from?: number;
    report(figure: Figure): void;
  }): Promise<void>;
};
export type Section = { title: string; command: string; machine: string; figures: readonly Figure[] };

const FILE = resolve(import.meta.dirname, "../../docs/proof.md");
/** The machine of most runs: only others are named beside their figures. */
const USUAL = "2 × AMD EPYC, 24 GB, Node v24.21.0, ";
const HEAD = `# Proof

Times, memory and long runs, which tests do not assert: they differ from machine to machine (here ${USUAL}unless a section names another). One process unless a section says more; clients, server and PostgreSQL share the machine. \`npm run prove -- NAME\` measures one and replaces its section; \`npm run prove\` runs the short form of all, without targets in milliseconds, and never replaces the figures of a long run. Targets are in brackets where they are not the figure itself.
`;

/** Replaces the section of \`name\` in docs/proof.md; sections are in the order of their names. */
export function writeSection(name: string, section: Section): void {
  let before = "";
  try {
    before = readFileSync(FILE, "utf8");
  } catch {
    // The first one.
  }
  writeFileSync(FILE, withSection(before, name, section, new Date()));
}

const isShort = (command: string) => command.includes(" --short");

/** A title without what it says about the short form. */
const ofLongRun = (title: string) => title.replace(/ \(short form: [^)]*\)| Short form: [^.]*\./g, "");

/** The document with one section added or replaced. The section of a long run stays when the new one is short. */
export function withSection(document: string, name: string, section: Section, at: Date): string {
  const sections = new Map(
    document
      .split(/^(?=## )/m)
      .slice(1)
      .map((text) => [/^## (\S+)/.exec(text)?.[1] ?? "", text.trimEnd()] as const),
  );
  const before = /^.*· `(npm run prove [^`]*)`/m.exec(sections.get(name) ?? "")?.[1];
  if (before !== undefined && !isShort(before) && isShort(section.command)) return document;
  const listed = (title: string, of: (figure: Figure) => boolean) => {
    const figures = section.figures.filter((figure) => !figure.detail && of(figure));
    // "restarted: statuses" and "restarted: slowest" say "restarted" once, and a target that both have.
    const groupOf = (figure?: Figure) => /^.*?: /.exec(figure?.what ?? "")?.[0];
    const texts = figures.map((figure, i) => {
      const { what, value, target } = figure;
      const group = groupOf(figure);
      const again = group !== undefined && groupOf(figures[i - 1]) === group;
      const shared = group !== undefined && groupOf(figures[i + 1]) === group && figures[i + 1]?.target === target;
      const until = target === undefined || target === value || shared ? "" : ` (${target})`;
      return `${i === 0 ? "" : again ? ", " : "; "}${again ? what.slice(group.length) : what} **${value}**${until}`;
    });
    return texts.length ? [`- ${title}: ${texts.join("")}`] : [];
  };
  sections.set(
    name,
    [
      `## ${name}`,
      `${isShort(section.command) ? section.title : ofLongRun(section.title)} ${at.toISOString().slice(0, 10)} · \`${section.command}\` · ${section.machine.replace(USUAL, "")}`,
      ...listed("✗ Missed", ({ met }) => met === false),
      ...listed("✓ Reached", ({ met }) => met === true),
      ...listed("Measured", ({ met }) => met === undefined),
    ].join("\n"),
  );
  const sorted = [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return `${HEAD}\n${sorted.join("\n")}\n`;
}
