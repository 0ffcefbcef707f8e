/**
 * `npm run bench -- --peers [FOLDER of MRBS]`: the product beside a stock React Router app with the same list, and beside an open booking product on the
 * same PostgreSQL. Rounds in turns; the clients share the machine. Compare within one run.
 */
import { loadavg } from "node:os";
import { type Browser, chromium } from "@playwright/test";
import { findBrowser } from "../../tests/setup/find-browser.ts";
import { bookedId, Clients, type Reply } from "../prove/product/clients.ts";
import { visit } from "./first-visit.ts";
import { type Mrbs, startMrbs, whatIsMissing } from "./peers/mrbs.ts";
import { median, print } from "./table.ts";
import { makeWorld, type World } from "./world.ts";

const [CONNECTIONS, ROUNDS, ROUND_MS] = [20, 5, 2_000];
/** Patients who press for one time at once, and how often. */
const [RACERS, RACES] = [50, 5];
const VISITS = 3;
const LIST = "/doctorspages/Cards-data";
const DOCTORS = 10;

export async function measurePeers(folder: string | undefined): Promise<void> {
  const missing = whatIsMissing(folder);
  if (missing) console.log(`\nWithout the open booking product: it needs ${missing}`);
  const world = await makeWorld(20_000);
  const mrbs = missing || !folder ? null : await startMrbs(folder, DOCTORS);
  const browser = await chromium.launch({ ...(await findBrowser()), headless: true });
  try {
    const [before = 0] = loadavg();
    await measurePages(world, mrbs, browser);
    await measureBookings(world, mrbs);
    console.log(`\n${CONNECTIONS} connections, medians of ${ROUNDS} rounds; load of the machine before: ${before.toFixed(1)}`);
  } finally {
    await browser.close();
    await mrbs?.stop();
    await world.end();
  }
}

type Page = { name: string; port: number; path: (n: number) => string };

async function measurePages({ product, stock }: World, mrbs: Mrbs | null, browser: Browser): Promise<void> {
  let fresh = 0;
  const pages: Page[] = [
    { name: "list, not cached", port: product.port, path: () => `${LIST}?n=${fresh++}` },
    { name: "list, cached", port: product.port, path: () => LIST },
    { name: "stock React Router, the same list", port: stock.port, path: () => "/doctors" },
    ...(mrbs ? [{ name: "MRBS, the times of as many doctors", port: mrbs.port, path: () => mrbs.list }] : []),
  ];
  const rates = new Map<Page, number[]>(pages.map((page) => [page, []]));
  for (let round = -1; round < ROUNDS; round++)
    for (const page of pages) {
      const clients = new Clients(page.port, CONNECTIONS);
      const rate = await rateOf(async (n) => (await clients.get(page.path(n))).status === 200);
      clients.close();
      if (round >= 0) rates.get(page)?.push(rate);
    }
  const rows: string[][] = [];
  for (const page of pages) {
    const cold: Awaited<ReturnType<typeof visit>>[] = [];
    for (let n = 0; n < VISITS; n++) cold.push(await visit(browser, `http://localhost:${page.port}${page.path(n)}`, null));
    const [usable, bytes] = [median(cold.map((one) => one.usable)), median(cold.map((one) => one.bytes))];
    rows.push([page.name, median(rates.get(page) ?? []).toFixed(0), (bytes / 1000).toFixed(0), usable.toFixed(0)]);
  }
  console.log("\nPages; usable: 400 kbit/s, 400 ms, CPU ÷ 6, an empty cache\n");
  print(["", "requests/s", "KB on the wire", "usable after ms"], rows);
}

type Peer = { name: string; book: (n: number) => Promise<boolean>; race: (n: number) => Promise<boolean>[] };

async function measureBookings({ product, wishes }: World, mrbs: Mrbs | null): Promise<void> {
  const clients = new Clients(product.port, RACERS);
  const isBooked = (reply: Reply) => bookedId(reply) !== null;
  const cookies = [...new Set(wishes.map(({ cookie }) => cookie))];
  // Numbers of times: the rounds count up, the races take others.
  const [ours, theirs] = [{ next: 0 }, { next: 0 }];
  const peers: Peer[] = [
    {
      name: "Nadi",
      book: async () => isBooked(await clients.book(wishes[ours.next++]!)),
      race: () => {
        const slot = wishes[ours.next++]!;
        return Array.from({ length: RACERS }, async (_, i) => isBooked(await clients.book({ ...slot, cookie: cookies.at(-1 - i)! })));
      },
    },
    ...(mrbs
      ? [
          {
            name: "MRBS",
            book: () => mrbs.book(theirs.next++),
            race: () => {
              const n = theirs.next++;
              return Array.from({ length: RACERS }, () => mrbs.book(n));
            },
          },
        ]
      : []),
  ];
  const rows: string[][] = [];
  for (const { name, book, race } of peers) {
    const rates: number[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const rate = await rateOf(book);
      if (round >= 0) rates.push(rate);
    }
    const wins: number[] = [];
    for (let n = 0; n < RACES; n++) wins.push((await Promise.all(race(n))).filter(Boolean).length);
    rows.push([name, median(rates).toFixed(0), wins.join(", ")]);
  }
  clients.close();
  console.log(`\nBookings of free times, and how many of ${RACERS} got the same time, ${RACES} times\n`);
  print(["", "bookings/s", `of ${RACERS}`], rows);
}

/** Returns how many of `send` were done a second. @throws when one of them was not */
async function rateOf(send: (n: number) => Promise<boolean>): Promise<number> {
  const began = performance.now();
  let [sent, done] = [0, 0];
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() - began < ROUND_MS) {
        if (!(await send(sent++))) throw new Error("a request was refused");
        done++;
      }
    }),
  );
  return done / ((performance.now() - began) / 1_000);
}
