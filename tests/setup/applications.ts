/** Doctor applications over HTTP: a new doctor, the forms of the three steps, the images in them. */
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { type Answer, Browser, type Fields } from "./http.ts";
import type { LoggedIn } from "./people.ts";
import type { TestServer } from "./server.ts";

let count = 0;
/** Returns a number that is unique in this process. */
const serial = () => String(process.pid % 10_000).padStart(4, "0") + String(++count).padStart(4, "0");

/** Registers a doctor and returns a logged-in browser. */
export async function newDoctor(server: TestServer, status = "draft"): Promise<LoggedIn> {
  const n = serial();
  const [user] = await server.sql<
    { id: string }[]
  >`insert into users (role, phone, email) values ('doctor', ${`+9170${n}`}, ${`d${n}@test.example`}) returning id`;
  await server.sql`insert into doctors (id, registration_status) values (${user!.id}, ${status})`;
  return againAs(server, user!.id);
}

/** Returns another browser, logged in as the same user. */
export async function againAs(server: TestServer, userId: string): Promise<LoggedIn> {
  const token = randomToken();
  await server.sql`insert into sessions (token_hash, user_id, last_seen_at, expires_at, proven_at)
    values (${hashToken(token)}, ${userId}, now() + interval '400 days', now() + interval '400 days', now() + interval '400 days')`;
  const browser = new Browser(server.url);
  browser.cookies.set("nadi_session", token);
  return Object.assign(browser, { userId, token });
}

/** Inserts a hospital with a unique name, confirmed by default. */
export async function newHospital(
  server: TestServer,
  fields: { name?: string; status?: string; city?: string; phone?: string | null; mergedInto?: string } = {},
): Promise<string> {
  const name = fields.name ?? `Test Hospital ${serial()}`;
  const [row] = await server.sql<{ id: string }[]>`
    insert into hospitals (name, category, address, city, state, phone, status, merged_into, latitude, longitude)
    values (${name}, 'Hospital', ${`1 Station Road, ${fields.city ?? "Guntur"}`}, ${fields.city ?? "Guntur"}, 'Andhra Pradesh', ${fields.phone === undefined ? "+914000000199" : fields.phone}, ${fields.status ?? "active"}, ${fields.mergedInto ?? null}, 16.3, 80.4)
    returning id`;
  return row!.id;
}

/** Returns a unique JPEG. */
export async function picture(width = 60, height = 80): Promise<Blob> {
  const n = Number(serial());
  const bytes = await sharp({ create: { width, height, channels: 3, background: { r: n % 256, g: (n >> 8) % 256, b: (n >> 16) % 256 } } })
    .jpeg()
    .withExif({ IFD0: { ImageDescription: serial() } })
    .toBuffer();
  return new Blob([new Uint8Array(bytes)], { type: "image/jpeg" });
}

/** Returns a PNG with this size in its header and no image data. */
export function hugePng(side: number): Blob {
  const table = Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });
  const crc = (bytes: Buffer) => (bytes.reduce((c, b) => table[(c ^ b) & 255]! ^ (c >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;
  const chunk = (type: string, body: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), body]);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(body.length);
    const tail = Buffer.alloc(4);
    tail.writeUInt32BE(crc(named));
    return Buffer.concat([head, named, tail]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const png = Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(64))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  return new Blob([new Uint8Array(png)], { type: "image/png" });
}

export const manualHospital = (name = `Lotus Clinic ${serial()}`) => ({
  mode: "manual",
  hospitalName: name,
  hospitalAddress: "12 Brodipet, Guntur 522002",
  contactNumber: "0863 223 4567",
  intent: "next",
});

/** Returns the fields of step 2, complete except for the documents. */
export function professional(changes: Fields = {}): Fields {
  return {
    intent: "continue",
    fullName: "Dr. Asha Rani Kumar",
    gender: "female",
    dateOfBirth: "1985-03-14",
    medicalCouncilRegistrationNumber: `APMC/${serial()}`,
    medicalCouncilName: "Andhra Pradesh Medical Council",
    yearOfRegistration: "2010",
    primarySpecialization: "Cardiologist",
    additionalSpecializations: "",
    category: "Cardiology",
    experienceYears: "12",
    consultationFee: "500",
    about: "Hearts of all ages.",
    "qualifications[0].degree": "MBBS",
    "qualifications[0].universityCollege": "Guntur Medical College",
    "qualifications[0].year": "2009",
    languages: ["English", "Telugu"],
    otherLanguages: "",
    city: "Guntur",
    state: "Andhra Pradesh",
    aadhaarNumber: "",
    panNumber: "",
    ...changes,
  };
}

export type Pictures = Partial<
  Record<"profileImage" | "identityDocument" | "medicalCouncilCertificate" | "qualificationCertificates", [Blob, string][]>
>;
export async function allPictures(): Promise<Pictures> {
  return {
    profileImage: [[await picture(), "me.jpg"]],
    identityDocument: [[await picture(), "aadhaar.jpg"]],
    medicalCouncilCertificate: [[await picture(), "council.jpg"]],
    qualificationCertificates: [
      [await picture(), "mbbs.jpg"],
      [await picture(), "md.jpg"],
    ],
  };
}
/** Builds a form as a browser sends it: text first, files last. */
export function multipart(fields: Fields, pictures: Pictures = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
  for (const [name, files] of Object.entries(pictures)) for (const [blob, fileName] of files) form.append(name, blob, fileName);
  return form;
}

export const bank = (changes: Fields = {}): Fields => ({
  bankName: "State Bank of India",
  accountNumber: `3${serial()}77`,
  ifscCode: "SBIN0001234",
  accountHolderName: "Asha Rani Kumar",
  bankBranch: "Guntur Main",
  ...changes,
});

/** Fills in steps 1 and 2. Throws when one does not lead to the next. */
export async function fillTwoSteps(
  doctor: Browser,
  options: { hospital: Fields; professional?: Fields; pictures?: Pictures },
): Promise<void> {
  const first = await doctor.post("/hospital-form", options.hospital);
  if (first.location !== "/doctor-verification") throw new Error(`step 1: ${first.status} ${first.location}\n${sentencesOf(first)}`);
  const second = await doctor.postFiles(
    "/doctor-verification",
    multipart(options.professional ?? professional(), options.pictures ?? (await allPictures())),
  );
  if (second.location !== "/banking-information") throw new Error(`step 2: ${second.status} ${second.location}\n${sentencesOf(second)}`);
}

/** Registers a doctor and submits the whole application. */
export async function applied(
  server: TestServer,
  options: { hospital?: Fields; professional?: Fields; bank?: Fields } = {},
): Promise<LoggedIn> {
  const doctor = await newDoctor(server);
  await fillTwoSteps(doctor, {
    hospital: options.hospital ?? { mode: "select", hospitalId: await newHospital(server), intent: "next" },
    ...(options.professional && { professional: options.professional }),
  });
  const last = await doctor.post("/banking-information", options.bank ?? bank());
  if (last.location !== "/doctor-verify") throw new Error(`step 3: ${last.status} ${last.location}\n${sentencesOf(last)}`);
  return doctor;
}

/** Returns the errors of a page by field ("" for those above the form). */
export function errorsOf(answer: Answer): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const [, name = "", text = ""] of answer.text.matchAll(/<p class="err [^"]*" id="[a-z]+-([^"]*?)-error">.*?<span>(.*?)<\/span>/gs))
    errors[name] = plain(text);
  const summary = /<div[^>]*class="[^"]*summary[^"]*"[^>]*>.*?<ul[^>]*>(.*?)<\/ul>/s.exec(answer.text)?.[1] ?? "";
  for (const [, text = ""] of summary.matchAll(/<li>(?!<a)(.*?)<\/li>/gs)) errors[""] = plain(text);
  return errors;
}
export const plain = (html: string) =>
  html
    .replace(/<(style|script)\b.*?<\/\1>/gs, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim();
const sentencesOf = (answer: Answer) => JSON.stringify(errorsOf(answer));

/** Returns the value of a field. */
export function fieldValue(answer: Answer, name: string): string | null {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const area = new RegExp(`<textarea[^>]*name="${escaped}"[^>]*>(.*?)</textarea>`, "s").exec(answer.text);
  if (area) return plain(area[1] ?? "");
  const tag = new RegExp(`<input[^>]*name="${escaped}"[^>]*>`).exec(answer.text)?.[0];
  if (tag) return plain(/ value="([^"]*)"/.exec(tag)?.[1] ?? "");
  const select = new RegExp(`<select[^>]*name="${escaped}".*?</select>`, "s").exec(answer.text)?.[0];
  return select ? plain(/<option value="([^"]*)" selected=""/.exec(select)?.[1] ?? "") : null;
}
/** Returns the hidden fields that identify the page, as a browser would send them back. */
export const writerFields = (page: Answer): Fields => ({
  version: fieldValue(page, "version") ?? "",
  page: fieldValue(page, "page") ?? "",
});
