/**
 * Follows every link and submits every form that is reachable without JavaScript, as a visitor, patient, doctor, reviewer and
 * administrator. No link is dead, no page breaks, no form fails, whether submitted unchanged, empty or filled in.
 */
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Browser } from "../setup/http.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

/** Pages of one kind that are visited: two doctors show as much as two hundred. */
const OF_A_KIND = 3;
const HOMES: Record<string, string[]> = {
  visitor: ["/", "/choose-role", "/doctorspages/Cards-data", "/patient/emergency-contact"],
  patient: ["/patient-dashboard"],
  doctor: ["/doctor-dashboard"],
  reviewer: ["/reviewer"],
  admin: ["/admin"],
};

type Form = { page: string; method: string; action: string; presses: Record<Press, [string, string][]>; multipart: boolean };
/** Unchanged: hidden and prefilled values. Empty: without what a user may type or choose. Filled: with valid values by kind of field. */
const PRESSES = ["unchanged", "empty", "filled"] as const;
type Press = (typeof PRESSES)[number];
const text = (value: string) =>
  value.replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\s${name}(?:="([^"]*)")?(?=[\\s/>])`).exec(tag);
  return found ? text(found[1] ?? "") : null;
}
function linksOf(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*>/g)].map(([tag]) => attribute(tag, "href")).filter((href): href is string => href !== null);
}
/** Returns what a user would type into a field of this name and type. */
function typedInto(tag: string, name: string, type: string | null): string {
  if (type === "tel" || /phone|mobile|contact/i.test(name)) return "9876543210";
  if (type === "email" || /email/i.test(name)) return "user@crawl.test";
  if (type === "password") return "demo1234";
  if (type === "date") return attribute(tag, "min") ?? attribute(tag, "max") ?? "1990-02-28";
  if (type === "number" || /age$|years|fee/i.test(name)) return attribute(tag, "min") ?? "40";
  if (/otp|code$/i.test(name)) return "123456";
  if (/pin/i.test(name)) return "520010";
  return "Lakshmi Devi";
}

/** Returns a form as a browser sends it with its first button, in the three ways of `PRESSES`. */
function formsOf(html: string, page: string): Form[] {
  return [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].flatMap(([whole]) => {
    const head = /<form\b[^>]*>/.exec(whole)![0];
    const id = attribute(head, "id");
    const presses: Form["presses"] = { unchanged: [], empty: [], filled: [] };
    const add = (name: string, value: string, ...how: Press[]) => {
      for (const press of how) presses[press].push([name, value]);
    };
    const radios = new Set<string>();
    for (const [tag] of whole.matchAll(/<input\b[^>]*>/g)) {
      const [name, type] = [attribute(tag, "name"), attribute(tag, "type")];
      if (!name || type === "file") continue;
      const value = attribute(tag, "value");
      if (type === "hidden") add(name, value ?? "", ...PRESSES);
      else if (type === "radio" || type === "checkbox") {
        if (attribute(tag, "disabled") !== null) continue;
        if (attribute(tag, "checked") !== null) add(name, value ?? "on", "unchanged");
        if (type === "checkbox" || !radios.has(name)) add(name, value ?? "on", "filled");
        radios.add(name);
      } else {
        add(name, value ?? "", "unchanged");
        add(name, "", "empty");
        add(name, typedInto(tag, name, type), "filled");
      }
    }
    for (const [tag] of whole.matchAll(/<textarea\b[^>]*>/g)) {
      const name = attribute(tag, "name");
      if (!name) continue;
      add(name, "", "unchanged", "empty");
      add(name, "A few words more than one.", "filled");
    }
    for (const [tag, inner] of whole.matchAll(/<select\b[^>]*>([\s\S]*?)<\/select>/g)) {
      const name = attribute(tag, "name");
      const options = [...inner!.matchAll(/<option\b[^>]*>/g)].map(([option]) => option);
      const chosen = options.find((option) => attribute(option, "selected") !== null) ?? options[0];
      if (!name || !chosen) continue;
      add(name, attribute(chosen, "value") ?? "", "unchanged");
      add(name, attribute(options[0]!, "value") ?? "", "empty");
      add(name, attribute(options.at(-1)!, "value") ?? "", "filled");
    }
    const buttons = (part: string) =>
      [...part.matchAll(/<button\b[^>]*>/g)].map(([tag]) => tag).filter((tag) => attribute(tag, "type") !== "button");
    // A button may be outside its form and refer to it by id.
    const button = buttons(whole)[0] ?? buttons(html).find((tag) => id !== null && attribute(tag, "form") === id);
    if (!button) return [];
    const method = (attribute(head, "method") ?? "get").toLowerCase();
    // Closes its dialog and sends nothing.
    if (method === "dialog") return [];
    if (attribute(button, "name")) add(attribute(button, "name")!, attribute(button, "value") ?? "", ...PRESSES);
    return {
      page,
      method,
      action: attribute(head, "action") ?? page,
      presses,
      multipart: attribute(head, "encType") === "multipart/form-data" || attribute(head, "enctype") === "multipart/form-data",
    };
  });
}
/** Returns the kind of page of a URL: ids, days and values do not make a new one. */
function kind(path: string): string {
  const at = new URL(path, "http://x");
  const place = at.pathname
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id")
    .replace(/\d{4}-\d{2}-\d{2}/g, ":date")
    .replace(/\d{5,}/g, ":n");
  return `${place}?${[...new Set(at.searchParams.keys())].sort().join("&")}`;
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

async function crawl(who: Browser, homes: string[]) {
  const seen = new Map<string, number>();
  const queued = new Set(homes);
  const queue = homes.map((path) => ({ path, from: "(start)" }));
  const faults: string[] = [];
  const forms = new Map<string, Form>();
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { path, from } = next;
    const count = (seen.get(kind(path)) ?? 0) + 1;
    seen.set(kind(path), count);
    if (count > OF_A_KIND) continue;
    const answer = await who.get(path);
    if (answer.status === 404 || answer.status >= 500 || answer.status === 405) faults.push(`${answer.status} ${path} (on ${from})`);
    const onward = answer.location ? [answer.location] : [];
    if (answer.headers.get("content-type")?.includes("text/html")) {
      const ids = new Set([...answer.text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => text(id!)));
      for (const href of linksOf(answer.text)) {
        if (href.startsWith("#")) {
          // A dialog that only JavaScript opens has no opener: its close link is an empty fragment.
          const closes = href.endsWith("-open") && answer.text.includes(`<dialog id="${href.slice(1, -"-open".length)}"`);
          if (href.length > 1 && !ids.has(href.slice(1)) && !closes) faults.push(`no ${href} on ${path}`);
        } else if (href === "") faults.push(`an empty link on ${path}`);
        else onward.push(href);
      }
      for (const form of formsOf(answer.text, path)) {
        const names = form.presses.unchanged.map(([name, value]) =>
          /intent|action|method|decision/i.test(name) ? `${name}=${value}` : name,
        );
        forms.set(`${form.method} ${kind(new URL(form.action, `http://x${path}`).href)} ${names.join(",")}`, form);
      }
    }
    for (const href of onward) {
      const at = new URL(href, server.url + path);
      if (at.origin !== server.url || at.pathname === "/logout" || at.pathname.startsWith("/dev/")) continue;
      const to = at.pathname + at.search;
      if (!queued.has(to)) queue.push({ path: to, from: path });
      queued.add(to);
    }
  }
  return { faults, forms: [...forms.values()], kinds: seen.size };
}

describe.each(Object.keys(HOMES))("%s", (role) => {
  test("has no dead link, no broken page and no broken form", { timeout: 240_000 }, async () => {
    const account = role === "visitor" ? null : DEMO[role as keyof typeof DEMO];
    const enter = async () => (account ? await loginAs(server, account) : new Browser(server.url));
    const { faults, forms, kinds } = await crawl(await enter(), HOMES[role]!);
    expect(faults).toEqual([]);
    expect(kinds).toBeGreaterThan(4);

    const dead: string[] = [];
    const filled = { all: 0, taken: 0 };
    for (const press of PRESSES)
      for (const form of forms) {
        const fields = form.presses[press];
        // A form without fields is submitted once.
        if (PRESSES.slice(0, PRESSES.indexOf(press)).some((before) => isDeepStrictEqual(form.presses[before], fields))) continue;
        // Each form is submitted by a logged-in user, whatever the previous one did.
        const who = await enter();
        const at = new URL(form.action, server.url + form.page);
        if (form.method === "get") for (const [name, value] of fields) at.searchParams.append(name, value);
        const to = at.pathname + at.search;
        const body = new FormData();
        for (const [name, value] of fields) body.append(name, value);
        const answer =
          form.method === "get"
            ? await who.get(to)
            : form.multipart
              ? await who.postFiles(to, body)
              : await who.post(to, Object.fromEntries(grouped(fields)));
        // Errors of the input are shown on a page, and a search always finds its page.
        const explained = form.method === "post" && answer.text.includes("<h1");
        // An earlier submission may have deleted the subject of this one.
        if (answer.status === 404 && (await who.get(form.page)).status === 404) continue;
        if (answer.status === 404 || answer.status === 405 || answer.status >= 500 || (answer.status >= 400 && !explained))
          dead.push(`${answer.status} ${form.method} ${to} ${press}: ${JSON.stringify(fields)} (on ${form.page})`);
        if (press === "filled") {
          filled.all++;
          if (answer.status < 400) filled.taken++;
        }
      }
    expect(dead).toEqual([]);
    // Valid input is not refused everywhere: some submissions succeed.
    expect(filled.taken).toBeGreaterThan(filled.all / 3);
  });
});

function grouped(fields: [string, string][]): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const [name, value] of fields) all.set(name, [...(all.get(name) ?? []), value]);
  return all;
}
