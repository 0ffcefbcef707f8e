/** What is printed: sheets of a long prescription, and codes as a cheap scanner sees them. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright";
import { LANGUAGES, type Language } from "../../app/lib/language.ts";
import { valuesOf } from "../../tests/factories/booking.ts";
import { dayFromNow, letSign, makeDoctor, makeVisit, newPhone } from "../../tests/factories/people.ts";
import { plain } from "../../tests/setup/applications.ts";
import { findBrowser } from "../../tests/setup/find-browser.ts";
import { type LoggedIn, loginAs } from "../../tests/setup/people.ts";
import { startServer, type TestServer } from "../../tests/setup/server.ts";
import type { Proof } from "./proof.ts";

const MEDICINES = 12;
const PATIENT = "Lakshmi Prasanna Devi";
const DOCTOR = "Dr. Anjali Vemuri";
/** Dots per inch of a fax or a thermal printer, and of CSS. */
const [PRINTER, CSS] = [203, 96];
const TILT = 3;
const QUALITY = 40;
const TOOLS = { zbarimg: "zbar-tools", pdftotext: "poppler-utils" } as const;

const proof: Proof = {
  missing: () => Object.entries(TOOLS).flatMap(([tool, pack]) => (existsSync(`/usr/bin/${tool}`) ? [] : [pack])),
  title: `Prescriptions of 1 and ${MEDICINES} medicines on A5 and A4 in ${LANGUAGES.join(", ")}, as Chromium prints them. Codes of a prescription and of a poster at ${PRINTER} dpi, grey, tilted by ${TILT}°, as a JPEG of quality ${QUALITY}, read by zbarimg.`,
  async run({ report }) {
    const server = await startServer();
    const browser = await chromium.launch(await findBrowser());
    const folder = mkdtempSync(join(tmpdir(), "nadi-prints-"));
    try {
      const doctor = await makeDoctor(server.db, { name: DOCTOR });
      await letSign(server.db, doctor.id);
      const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
      const context = await browser.newContext({ deviceScaleFactor: PRINTER / CSS });
      await context.addCookies([{ name: "nadi_session", value: asDoctor.token, url: server.url, httpOnly: true, sameSite: "Lax" }]);
      const page = await context.newPage();
      const faults: string[] = [];
      const [unread, codes]: [string[], number[]] = [[], []];
      let sheets = 0;
      for (const language of LANGUAGES)
        for (const count of [1, MEDICINES]) {
          const path = await sign(server, asDoctor, doctor, { language, count });
          for (const paper of ["a5", "a4"]) {
            await page.goto(`${server.url}${path}?paper=${paper}`);
            const file = join(folder, "print.pdf");
            writeFileSync(file, await page.pdf({ preferCSSPageSize: true }));
            const texts = execFileSync("pdftotext", ["-layout", file, "-"]).toString().split("\f").slice(0, -1);
            sheets += texts.length;
            const where = `${language} ${paper}, ${count} medicines`;
            texts.forEach((text, i) => {
              for (const words of [PATIENT, DOCTOR, `${i + 1}/${texts.length}`])
                if (!text.includes(words)) faults.push(`${where}: sheet ${i + 1} lacks "${words}"`);
              if (!/[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}/.test(text)) faults.push(`${where}: sheet ${i + 1} lacks the code`);
            });
            for (let n = 1; n <= count; n++) {
              const own = texts.filter((text) => text.includes(`MEDICINE${n}X`) || text.includes(`endofrow${n}x`));
              if (own.length !== 1) faults.push(`${where}: medicine ${n} is on ${own.length} sheets`);
            }
            const found = await readCodes(page, folder);
            codes.push(found.length);
            if (!found.some((text) => text.includes("/rx/"))) unread.push(where);
          }
        }
      const [place] = await server.sql<{ slug: string }[]>`select slug from short_names where kind = 'hospital' limit 1`;
      await page.goto(`${server.url}/h/${place!.slug}/poster`);
      if (!(await readCodes(page, folder)).some((text) => text.endsWith(`/h/${place!.slug}`))) unread.push("poster");
      for (const fault of [...faults, ...unread.map((where) => `not read: ${where}`)]) console.log(`    ${fault}`);
      report({ what: "sheets", value: String(sheets), detail: true });
      report({
        what: "sheets without patient, doctor, code or number, and rows on two sheets",
        value: String(faults.length),
        target: "0",
        met: faults.length === 0,
      });
      report({ what: "codes that were not read", value: `${unread.length} of ${codes.length + 1}`, target: "0", met: unread.length === 0 });
    } finally {
      await browser.close();
      await server.stop();
      rmSync(folder, { recursive: true });
    }
  },
};
export default proof;

/** Signs a prescription without scripts. Returns the path of its printed page. */
async function sign(
  server: TestServer,
  asDoctor: LoggedIn,
  doctor: Awaited<ReturnType<typeof makeDoctor>>,
  { language, count }: { language: Language; count: number },
): Promise<string> {
  const me = await loginAs(server, { role: "patient", phone: newPhone() });
  const patient = { id: me.userId, phone: newPhone(), actor: { userId: me.userId, role: "patient" as const } };
  const time = `0${LANGUAGES.indexOf(language) + 2}:${count === 1 ? "00" : "30"}`;
  const id = await makeVisit(server.db, { patient, doctor }, { status: "accepted", date: dayFromNow(-1), time, name: PATIENT });
  const at = `/doctor/visits/${id}`;
  const { q: _, save: __, ...fields } = valuesOf((await asDoctor.get(at)).text);
  const medicines = Object.assign({}, ...Array.from({ length: count }, (_, i) => medicine(i + 1)));
  const form = { ...fields, ...medicines, lines: String(count), diagnosis: "Acute bronchitis", language, review: "1" };
  const reviewed = await asDoctor.post(at, form);
  if (reviewed.status !== 303) throw new Error(`the prescription is refused: ${plain(reviewed.text).slice(0, 600)}`);
  const { version } = valuesOf((await asDoctor.get(`${at}/review`)).text);
  await asDoctor.post(`${at}/review`, { version: version ?? "" });
  const [row] = await server.sql<{ id: string }[]>`select id from visit_documents where encounter_id = ${id}`;
  if (!row) throw new Error(`the prescription of ${count} medicines was not signed`);
  return `${at}/documents/${row.id}`;
}

const medicine = (n: number) => ({
  [`medicine_${n}`]: `Medicine${n}x amoxicillin and potassium clavulanate`,
  [`strength_${n}`]: "625 mg",
  [`dose_${n}_morning`]: "1",
  [`dose_${n}_night`]: "½",
  [`days_${n}`]: "10",
  [`words_${n}`]: `Dissolve in a glass of water and drink slowly over ten minutes endofrow${n}x`,
});

/** Returns the texts of the codes of a page as a printer and a camera leave them. */
async function readCodes(page: Page, folder: string): Promise<string[]> {
  await page.emulateMedia({ media: "print" });
  const code = page.locator('svg:has(path[stroke="#10242a"])').first();
  await code.evaluate((svg, tilt) => {
    svg.style.filter = "grayscale(1)";
    svg.style.rotate = `${tilt}deg`;
  }, TILT);
  const box = (await code.boundingBox())!;
  const file = join(folder, "code.jpg");
  const around = { x: Math.max(0, box.x - 8), y: Math.max(0, box.y - 8), width: box.width + 16, height: box.height + 16 };
  writeFileSync(file, await page.screenshot({ type: "jpeg", quality: QUALITY, clip: around, fullPage: true }));
  await page.emulateMedia({ media: null });
  try {
    return execFileSync("zbarimg", ["--quiet", "--raw", file], { stdio: ["ignore", "pipe", "ignore"] })
      .toString()
      .trim()
      .split("\n");
  } catch {
    return [];
  }
}
