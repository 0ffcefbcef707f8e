/**
 * `node scripts/firefox.ts [width…]`: opens the pages of every role in Firefox, headless, over WebDriver BiDi, and lists what is
 * broken: words split in the middle, text beside the screen, cut or overlapping (docs/quality.md). Needs a build, a running database
 * and Firefox (`apt-get install firefox-esr`, or its path in FIREFOX). FIREFOX_LANGUAGE=te opens the pages in Telugu.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLanguage } from "../app/lib/language.ts";
import { writeFontConfig } from "../tests/setup/fonts.ts";
import { faultsOfLayout, splitWords } from "../tests/setup/layout.ts";
import { PAGE_GROUPS, placesOf } from "../tests/setup/pages.ts";
import { DEMO, loginAs } from "../tests/setup/people.ts";
import { startServer } from "../tests/setup/server.ts";
import { STAFF_GROUPS, staffPlacesOf } from "../tests/setup/staff-pages.ts";

const WIDTHS = process.argv.slice(2).map(Number);
const LANGUAGE = isLanguage(process.env.FIREFOX_LANGUAGE) ? process.env.FIREFOX_LANGUAGE : "en";
const SHOTS = process.env.FIREFOX_SHOTS;

type Answer = { id: number; type: string; result: Record<string, unknown>; message?: string };

/** Starts Firefox with an empty profile and returns a function that sends it a command. */
async function startFirefox() {
  const profile = mkdtempSync(join(tmpdir(), "nadi-firefox-"));
  // The scrollbars of a phone take no width.
  writeFileSync(
    join(profile, "user.js"),
    'user_pref("ui.useOverlayScrollbars", 1);\nuser_pref("widget.gtk.overlay-scrollbars.enabled", true);\n',
  );
  const child = spawn(process.env.FIREFOX ?? "firefox-esr", ["--headless", "--remote-debugging-port", "0", "--profile", profile], {
    // Its sandbox would not let pages read fonts outside the folders of the system.
    env: { ...process.env, FONTCONFIG_FILE: writeFontConfig(), MOZ_DISABLE_CONTENT_SANDBOX: "1" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const address = await new Promise<string>((ok, no) => {
    let output = "";
    child.on("error", no);
    child.stderr.on("data", (part) => {
      output += part;
      const found = /WebDriver BiDi listening on (\S+)/.exec(output)?.[1];
      if (found) ok(found);
    });
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((ok, no) => {
    socket.onopen = ok;
    socket.onerror = no;
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  };
  let last = 0;
  const send = async (method: string, params: object = {}) => {
    const id = ++last;
    const answer = await new Promise<Answer>((ok) => {
      waiting.set(id, ok);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer.type === "error") throw new Error(`${method}: ${answer.message}`);
    return answer.result;
  };
  await send("session.new", { capabilities: {} });
  const stop = async () => {
    const ended = new Promise((ok) => child.once("exit", ok));
    await send("browser.close").catch(() => child.kill());
    await ended;
    rmSync(profile, { recursive: true, force: true });
  };
  return { send, stop };
}

const server = await startServer();
const firefox = await startFirefox();
let faults = 0;
try {
  const { contexts } = (await firefox.send("browsingContext.getTree")) as { contexts: { context: string }[] };
  const context = contexts[0]?.context;
  const evaluate = async <T, A>(read: (argument: A) => T, argument: A): Promise<T> => {
    const expression = `JSON.stringify((${read})(${JSON.stringify(argument)}))`;
    const { result, exceptionDetails } = (await firefox.send("script.evaluate", {
      expression,
      target: { context },
      awaitPromise: true,
    })) as { result?: { value: string }; exceptionDetails?: { text: string } };
    if (!result) throw new Error(exceptionDetails?.text);
    return JSON.parse(result.value) as T;
  };
  const setCookie = (name: string, value: string) =>
    firefox.send("storage.setCookie", {
      cookie: { name, value: { type: "string", value }, domain: new URL(server.url).hostname, path: "/" },
    });
  const places = await placesOf(server);
  const staff = await staffPlacesOf(server);
  const groups = [
    ...PAGE_GROUPS.map(({ whose, account, pages, beside }) => ({
      whose,
      who: account && DEMO[account],
      paths: [...pages(places), ...(beside?.(places) ?? [])],
    })),
    ...STAFF_GROUPS.map(({ whose, account, pages }) => ({ whose, who: account, paths: pages(staff) })),
  ];
  for (const width of WIDTHS.length ? WIDTHS : [390, 1280])
    for (const { whose, who, paths } of groups) {
      await firefox.send("storage.deleteCookies", {});
      await setCookie("lang", LANGUAGE);
      if (who) await setCookie("nadi_session", (await loginAs(server, who)).token);
      await firefox.send("browsingContext.setViewport", { context, viewport: { width, height: 800 } });
      for (const path of paths) {
        if (path.startsWith("/dev/")) continue;
        await firefox.send("browsingContext.navigate", { context, url: server.url + path, wait: "complete" });
        const page = { evaluate } as unknown as Parameters<typeof faultsOfLayout>[0];
        // Sizes of targets and fields are for phones.
        const phone = width < 600;
        const faultsHere = (await faultsOfLayout(page, LANGUAGE)).filter((fault) => phone || /^(out of|cut at|beside)/.test(fault));
        const found = [...(await evaluate(splitWords, phone ? "h1, h2, header p, .city" : "body")), ...faultsHere];
        faults += found.length;
        for (const fault of found) console.log(`${width} ${whose} ${path}  ${fault}`);
        if (!SHOTS) continue;
        mkdirSync(SHOTS, { recursive: true });
        const { data } = (await firefox.send("browsingContext.captureScreenshot", { context, origin: "viewport" })) as { data: string };
        writeFileSync(join(SHOTS, `${width}-${path.replace(/[^\w-]+/g, "_")}.png`), Buffer.from(data, "base64"));
      }
    }
} finally {
  await firefox.stop();
  await server.stop();
}
console.log(faults ? `${faults} faults` : "nothing broken");
process.exitCode = faults ? 1 : 0;
