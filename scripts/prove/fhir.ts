/** The FHIR export by a second validator. It is installed for this run only: it brings old packages (docs/decisions/004-dependencies.md). */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { none } from "./product/figures.ts";
import type { Proof } from "./proof.ts";

const TEST = "app/domains/privacy/own-data/fhir-export.db.test.ts";
const VALIDATOR = "fhir@4.12.0";
type Validator = {
  Fhir: new () => { validate(bundle: unknown): { messages: { severity: string; message: string; location?: string }[] } };
};

const proof: Proof = {
  title: `The FHIR export of a patient and a family member, with what \`${TEST}\` exports, validated by npm's \`${VALIDATOR}\`.`,
  test: TEST,
  async run({ report }) {
    const dir = mkdtempSync(join(tmpdir(), "nadi-fhir-"));
    try {
      const file = join(dir, "bundle.json");
      execFileSync("npx", ["vitest", "run", "--project", "db", TEST], { env: { ...process.env, FHIR_BUNDLE: file } });
      execFileSync("npm", ["install", "--prefix", dir, "--no-audit", "--no-fund", "--ignore-scripts", VALIDATOR]);
      const { Fhir } = createRequire(join(dir, "package.json"))("fhir") as Validator;
      const bundle = JSON.parse(readFileSync(file, "utf8")) as { entry: unknown[] };
      report({ what: "resources", value: String(bundle.entry.length) });
      const errors = new Fhir().validate(bundle).messages.filter(({ severity }) => severity === "error" || severity === "fatal");
      for (const { location, message } of errors.slice(0, 20)) console.error(`  ${location}: ${message}`);
      report(none("errors of the validator", errors.length));
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
};
export default proof;
