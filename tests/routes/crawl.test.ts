/**
 * Every link and every form that somebody can find by reading pages, without JavaScript: nobody, a patient, a doctor, a
 * reviewer, an administrator. No link leads to nothing, no page breaks, no form is dead.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Browser } from "../setup/http.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

/** Pages of one kind that are looked at: two doctors tell as much as two hundred. */
const OF_A_KIND = 3;
const HOMES: Record<string, string[]> = {
  nobody: ["/", "/choose-role", "/doctorspages/Cards-data", "/patient/emergency-contact"],
  patient: ["/patient-dashboard"],
  doctor: ["/doctor-dashboard"],
  reviewer: ["/reviewer"],
  admin: ["/admin"],
};

type Form = { page: string; method: string; action: string; fields: [string, string][]; multipart: boolean };
const text = (value: string) =>
  value.replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\s${name}(?:="([^"]*)")?(?=[\\s/>])`).exec(tag);
  return found ? text(found[1] ?? "") : null;
}
function linksOf(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*>/g)].map(([tag]) => attribute(tag, "href")).filter((href): href is string => href !== null);
}
/** A form as a browser sends it when nobody has typed anything: hidden and prefilled values, and its first button. */
function formsOf(html: string, page: string): Form[] {
  return [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].flatMap(([whole]) => {
    const head = /<form\b[^>]*>/.exec(whole)![0];
    const id = attribute(head, "id");
    const fields: [string, string][] = [];
    for (const [tag] of whole.matchAll(/<input\b[^>]*>/g)) {
      const [name, type] = [attribute(tag, "name"), attribute(tag, "type")];
      if (!name || type === "file" || ((type === "radio" || type === "checkbox") && attribute(tag, "checked") === null)) continue;
      fields.push([name, attribute(tag, "value") ?? (type === "radio" || type === "checkbox" ? "on" : "")]);
    }
    for (const [tag] of whole.matchAll(/<textarea\b[^>]*>/g)) if (attribute(tag, "name")) fields.push([attribute(tag, "name")!, ""]);
    for (const [tag, inner] of whole.matchAll(/<select\b[^>]*>([\s\S]*?)<\/select>/g)) {
      const options = [...inner!.matchAll(/<option\b[^>]*>/g)].map(([option]) => option);
      const chosen = options.find((option) => attribute(option, "selected") !== null) ?? options[0];
      if (attribute(tag, "name") && chosen) fields.push([attribute(tag, "name")!, attribute(chosen, "value") ?? ""]);
    }
    const buttons = (part: string) =>
      [...part.matchAll(/<button\b[^>]*>/g)].map(([tag]) => tag).filter((tag) => attribute(tag, "type") !== "button");
    // A button may stand elsewhere and name its form.
    const button = buttons(whole)[0] ?? buttons(html).find((tag) => id !== null && attribute(tag, "form") === id);
    if (!button) return [];
    if (attribute(button, "name")) fields.push([attribute(button, "name")!, attribute(button, "value") ?? ""]);
    return {
      page,
      method: (attribute(head, "method") ?? "get").toLowerCase(),
      action: attribute(head, "action") ?? page,
      fields,
      multipart: attribute(head, "encType") === "multipart/form-data" || attribute(head, "enctype") === "multipart/form-data",
    };
  });
}
/** Which kind of page an address is: ids, days and values do not make another one. */
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
          // A dialog that only scripts open has no opener to go back to: its closing link is a fragment of nothing.
          const closes = href.endsWith("-open") && answer.text.includes(`<dialog id="${href.slice(1, -"-open".length)}"`);
          if (href.length > 1 && !ids.has(href.slice(1)) && !closes) faults.push(`no ${href} on ${path}`);
        } else if (href === "") faults.push(`an empty link on ${path}`);
        else onward.push(href);
      }
      for (const form of formsOf(answer.text, path)) {
        const names = form.fields.map(([name, value]) => (/intent|action|method|decision/i.test(name) ? `${name}=${value}` : name));
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
  test("finds no dead link, no broken page and no dead form", { timeout: 240_000 }, async () => {
    const account = role === "nobody" ? null : DEMO[role as keyof typeof DEMO];
    const enter = async () => (account ? await loginAs(server, account) : new Browser(server.url));
    const { faults, forms, kinds } = await crawl(await enter(), HOMES[role]!);
    expect(faults).toEqual([]);
    expect(kinds).toBeGreaterThan(4);

    const dead: string[] = [];
    for (const form of forms) {
      // Each form is pressed by somebody who is logged in, whatever the one before did.
      const who = await enter();
      const at = new URL(form.action, server.url + form.page);
      if (form.method === "get") {
        for (const [name, value] of form.fields) at.searchParams.append(name, value);
        const answer = await who.get(at.pathname + at.search);
        if (answer.status >= 400) dead.push(`${answer.status} GET ${at.pathname}${at.search} (on ${form.page})`);
        continue;
      }
      const to = at.pathname + at.search;
      const body = new FormData();
      const fields: Record<string, string[]> = {};
      for (const [name, value] of form.fields) {
        body.append(name, value);
        fields[name] = [...(fields[name] ?? []), value];
      }
      const answer = form.multipart ? await who.postFiles(to, body) : await who.post(to, fields);
      // 409 and 4xx with a page are answers to a person; these are not.
      if (answer.status === 404 || answer.status === 405 || answer.status >= 500 || (answer.status >= 400 && !answer.text.includes("<h1")))
        dead.push(`${answer.status} POST ${to} ${JSON.stringify(fields)} (on ${form.page})`);
    }
    expect(dead).toEqual([]);
  });
});
