/**
 * `node scripts/validate-html.ts`: checks the pages of every role in three languages with the Nu validator (docs/quality.md). Needs a
 * build, a running database, Java and the validator outside the repository: `npm install --prefix /tmp/vnu vnu-jar`, or its jar in VNU.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { LANGUAGES } from "../app/lib/language.ts";
import { EVERY_GROUP } from "../tests/setup/every-page.ts";
import { Browser } from "../tests/setup/http.ts";
import { loginAs } from "../tests/setup/people.ts";
import { startServer } from "../tests/setup/server.ts";

type Message = { type: string; subType?: string; url?: string; lastLine?: number; message: string; extract?: string };

const folder = mkdtempSync(join(tmpdir(), "nadi-html-"));
const server = await startServer();
const addresses: string[] = [];
try {
  for (const language of LANGUAGES)
    for (const { whose, account, paths } of EVERY_GROUP) {
      const browser = account ? await loginAs(server, account) : new Browser(server.url);
      browser.cookies.set("lang", language);
      for (const path of await paths(server)) {
        const { headers, text } = await browser.get(path);
        if (!headers.get("content-type")?.startsWith("text/html")) continue;
        writeFileSync(join(folder, `${addresses.length}.html`), text);
        addresses.push(`${language} ${whose} ${path}`);
      }
    }
} finally {
  await server.stop();
}
const jar = process.env.VNU ?? "/tmp/vnu/node_modules/vnu-jar/build/dist/vnu.jar";
const output = await new Promise<string>((ok) =>
  // The report is on stderr. It exits with 1 for findings.
  execFile(process.env.JAVA ?? "java", ["-Xss1024k", "-jar", jar, "--format", "json", folder], { maxBuffer: 1e9 }, (_, __, stderr) =>
    ok(stderr),
  ),
);
rmSync(folder, { recursive: true });
// It reads "/>" as a remark, and does not know CSS of this decade: container queries, @property, -webkit- names.
const isRemark = ({ message }: Message) => !message.startsWith("Trailing slash");
const isCss = ({ message }: Message) => message.startsWith("CSS:");
const { messages } = JSON.parse(output) as { messages: Message[] };
const counted = new Map<string, { pages: string[]; extract: string }>();
for (const { type, subType, url = "", message, extract = "" } of messages.filter(isRemark)) {
  const kind = `${subType ?? type}: ${message}`;
  const found = counted.get(kind) ?? { pages: [], extract };
  found.pages.push(addresses[Number(basename(url, ".html"))] ?? url);
  counted.set(kind, found);
}
for (const [kind, { pages, extract }] of counted)
  console.log(`${kind}\n    ${pages.length} times, first on ${pages[0]}\n    ${extract.replace(/\s+/g, " ")}`);
const errors = messages.filter((found) => found.type === "error" && !isCss(found)).length;
console.log(`${addresses.length} pages: ${errors} errors of HTML, ${messages.filter(isCss).length} messages about CSS`);
process.exitCode = errors ? 1 : 0;
