/** Uploads on a real S3-compatible server: OpenStack Swift with its S3 API, from Debian's packages. */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AwsClient } from "aws4fetch";
import { type S3Settings, s3Store } from "#app/integrations/storage/s3.server.ts";
import { newPhone } from "../../tests/factories/people.ts";
import { multipart, picture } from "../../tests/setup/applications.ts";
import { loginAs } from "../../tests/setup/people.ts";
import { startServer } from "../../tests/setup/server.ts";
import { makeFolder } from "./cluster/folder.ts";
import { missingPackages, type Swift, startSwift } from "./cluster/swift.ts";
import { atShare, ms } from "./product/figures.ts";
import type { Figure, Proof } from "./proof.ts";

const FILE = 300_000;
const BUCKET = "nadi-files";
type Report = (figure: Figure) => void;

const yes = (what: string, met: boolean): Figure => ({ what, value: met ? "yes" : "no", target: "yes", met });
const fails = (work: Promise<unknown>) =>
  work.then(
    () => false,
    () => true,
  );

const proof: Proof = {
  title: `Files in a bucket of OpenStack Swift (S3 API, one proxy and one copy): the client of the product, then uploads of a patient.`,
  missing: missingPackages,
  async run({ short, report }) {
    const folder = makeFolder();
    let swift: Swift | undefined;
    try {
      swift = await startSwift(folder);
      const { endpoint, region, accessKeyId, secretAccessKey } = swift;
      const settings = { endpoint, bucket: BUCKET, region, accessKeyId, secretAccessKey };
      const aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: 0 });
      const made = await aws.fetch(`${endpoint}/${BUCKET}`, { method: "PUT" });
      if (!made.ok) throw new Error(`the bucket was not created: ${made.status} ${await made.text()}`);
      await checkStore(settings, short ? 20 : 200, report);
      await checkProduct(settings, swift, join(folder, "devices"), report);
    } finally {
      await swift?.end();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
export default proof;

/** The product's client, file by file. */
async function checkStore(settings: S3Settings, files: number, report: Report): Promise<void> {
  const store = s3Store(settings);
  const keyOf = (n: number) => `proof/${String(n).padStart(8, "0")}`;
  const took = { put: [] as number[], get: [] as number[], remove: [] as number[] };
  const timed = async <T>(kind: keyof typeof took, work: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const value = await work();
    took[kind].push(performance.now() - began);
    return value;
  };
  let same = 0;
  for (let n = 0; n < files; n++) {
    const bytes = randomBytes(FILE);
    await timed("put", () => store.put(keyOf(n), bytes, "image/jpeg"));
    const back = await timed("get", () => store.get(keyOf(n)));
    if (back && Buffer.compare(back, bytes) === 0) same++;
  }
  const large = randomBytes(12_000_000);
  await store.put("proof/large", large, "application/pdf");
  report({ what: "files of 300 kB written and read the same", value: `${same} of ${files}`, target: "all", met: same === files });
  report(yes("a file of 12 MB is read the same", Buffer.compare((await store.get("proof/large")) ?? Buffer.alloc(0), large) === 0));
  await store.put(keyOf(0), Buffer.from("written again"), "text/plain");
  report(yes("a file that is written again is replaced", Buffer.from((await store.get(keyOf(0))) ?? []).toString() === "written again"));
  for (let n = 0; n < files; n++) await timed("remove", () => store.remove(keyOf(n)));
  report(
    yes(
      "a deleted file is missing, and can be deleted again",
      (await store.get(keyOf(0))) === null && !(await fails(store.remove(keyOf(0)))),
    ),
  );
  const wrong = s3Store({ ...settings, secretAccessKey: "a wrong key" });
  report(
    yes(
      "with a wrong key reading and writing fail",
      (await fails(wrong.get("proof/large"))) && (await fails(wrong.put("proof/x", large, "image/jpeg"))),
    ),
  );
  const none = s3Store({ ...settings, bucket: "no-such-bucket" });
  report(yes("without the bucket writing fails", await fails(none.put("proof/x", Buffer.from("x"), "image/jpeg"))));
  await store.remove("proof/large");
  for (const kind of ["put", "get", "remove"] as const)
    report({ what: `${kind} of 300 kB: p50, p95`, value: `${ms(atShare(took[kind], 0.5))}, ${ms(atShare(took[kind], 0.95))}` });
}

/** A patient uploads a picture, while the server works, hangs and refuses. */
async function checkProduct(settings: S3Settings, swift: Swift, devices: string, report: Report): Promise<void> {
  const variables = (secret = settings.secretAccessKey) => ({
    UPLOADS_S3_ENDPOINT: settings.endpoint,
    UPLOADS_S3_BUCKET: settings.bucket,
    UPLOADS_S3_REGION: settings.region,
    UPLOADS_S3_ACCESS_KEY_ID: settings.accessKeyId,
    UPLOADS_S3_SECRET_ACCESS_KEY: secret,
    LOG_LEVEL: "silent",
  });
  const upload = async (who: Awaited<ReturnType<typeof loginAs>>) => {
    const fields = multipart({ name: "Proof Patient", gender: "female" }, { photo: [[await picture(), "me.jpg"]] } as never);
    return who.postFiles("/patient/profile/edit", fields);
  };
  const server = await startServer({ seed: false, env: variables() });
  try {
    const patient = await loginAs(server, { role: "patient", phone: newPhone() });
    const saved = await upload(patient);
    const source = /src="(\/files\/[^"]+)"/.exec((await patient.get("/patient/profile")).text)?.[1] ?? "";
    const shown = await patient.get(source);
    report(
      yes(
        "a patient's picture is stored and shown",
        saved.status === 303 && shown.status === 200 && shown.headers.get("content-type") === "image/jpeg",
      ),
    );
    const stored = objectsIn(devices);
    report({
      what: "objects on the disk of Swift, not encrypted",
      value: `${stored.length}, ${stored.filter(isPicture).length}`,
      target: "none in clear",
      met: stored.length > 0 && !stored.some(isPicture),
    });
    swift.freeze();
    const began = performance.now();
    const [refused, page] = await Promise.all([upload(patient), patient.get("/patient/calendar")]);
    report({ what: "an upload while Swift hangs", value: `status ${refused.status} after ${ms(performance.now() - began)}` });
    report(
      yes(
        "it is refused next to its field, and other pages open",
        refused.status >= 400 && refused.text.includes("Proof Patient") && page.status === 200,
      ),
    );
    swift.thaw();
    report(yes("an upload after Swift hung is stored", (await upload(patient)).status === 303));
  } finally {
    await server.stop();
  }
  const denied = await startServer({ seed: false, env: variables("a wrong key") });
  try {
    const patient = await loginAs(denied, { role: "patient", phone: newPhone() });
    const { status, text } = await upload(patient);
    report(
      yes("an upload with a wrong key is refused next to its field", status >= 400 && status !== 500 && text.includes("Proof Patient")),
    );
  } finally {
    await denied.stop();
  }
}

const objectsIn = (devices: string) =>
  (readdirSync(devices, { recursive: true }) as string[])
    .filter((name) => name.endsWith(".data"))
    .map((name) => readFileSync(join(devices, name)));
const isPicture = (bytes: Buffer) => bytes.subarray(0, 2).toString("hex") === "ffd8" || bytes.includes("JFIF");
