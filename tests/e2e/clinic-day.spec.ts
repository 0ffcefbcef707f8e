/**
 * A day of a clinic: two receptionists (one at the queue, one at the agenda), the doctor, a television and three patients at once. After each event every
 * screen says what the database says. The desks also run without scripts; there a screen is loaded again, as a member would.
 */
import type { Page } from "@playwright/test";
import { getPlainQueue, type PlainEntry } from "#app/domains/waiting-room/queue/queries.server.ts";
import { EARLIEST_ARRIVAL } from "#app/domains/waiting-room/token-page/token-view.ts";
import { instantInIndia } from "#app/lib/dates.ts";
import { makeMember } from "../factories/members.ts";
import { addSlots, dayFromNow, makePatient, makeVisit, newPhone, recentSlot, typed } from "../factories/people.ts";
import { makeClinic, makeSession } from "../factories/queues.ts";
import { expect, hydrated, test } from "../setup/browser.ts";
import { ownNow } from "../setup/own-day.ts";
import { loginAs } from "../setup/people.ts";
import type { TestServer } from "../setup/server.ts";

const NAMES = ["Anil Kumar", "Bhavani Devi", "Chandra Rao", "Divya Teja", "Eswar Reddy", "Farida Begum", "Gopal Naidu", "Hema Latha"];
const SECOND = "Bhavani Devi";
/** The state of an appointment in the agenda, by that of its token. */
const IN_AGENDA: Partial<Record<PlainEntry["state"], string | RegExp>> = {
  expected: "Accepted",
  arrived: /Here \d/,
  called: "Called",
  "with-doctor": "With the doctor",
  skipped: "Skipped",
  done: "Done",
  left: /Left \d/,
};
const ON_PHONE: Partial<Record<PlainEntry["state"], string>> = {
  expected: "I have arrived",
  arrived: "Before you",
  called: "Please go in now",
  "with-doctor": "You are with the doctor",
  skipped: "You have not lost your place for today.",
  done: "Your visit is finished",
  left: "You have left the queue",
};

type Events = [what: string, act: () => Promise<unknown>][];
type Walk = {
  queue: Page;
  agenda: Page;
  doctor: Page;
  phones: Page[];
  /** Gives a walk-in a token at the queue. */
  giveToken: (button?: RegExp) => Promise<void>;
  /** A press on the page of a queue whose button begins with this. */
  press: (page: Page, button: string) => Promise<void>;
  /** A press in the menu of a row. */
  menu: (page: Page, of: RegExp, button: string) => Promise<void>;
  follow: (events: Events) => Promise<void>;
};

type Begin = {
  server: TestServer;
  hasJs: boolean;
  newContext: (options?: object) => Promise<import("@playwright/test").BrowserContext>;
};

/** At nine, or a few minutes ago when it is too early to arrive for that. */
const timeOf = (i: number, now = ownNow()) =>
  now.getTime() < instantInIndia(dayFromNow(0), "09:00").getTime() - EARLIEST_ARRIVAL ? recentSlot(i).time : `09:0${i}`;

async function begin({ server, hasJs, newContext }: Begin): Promise<Walk> {
  const { doctor, place, reception } = await makeClinic(server.db, { doctor: "Dr. Anitha Vemuri" });
  const second = await makeMember(server.db, place.id, "reception");
  for (const [i, name] of NAMES.entries())
    await makeVisit(
      server.db,
      { patient: await makePatient(server.db, { name }), doctor },
      { date: dayFromNow(0), time: timeOf(i), status: "accepted", name },
    );
  await makeVisit(
    server.db,
    { patient: await makePatient(server.db), doctor },
    { date: dayFromNow(1), time: "10:00", status: "accepted", name: "Moves Tomorrow" },
  );
  await addSlots(
    server.db,
    doctor.id,
    ["10:00", "11:00", "12:00"].map((time) => ({ date: dayFromNow(1), time })),
  );
  const sessionId = await makeSession(server.db, doctor.id, { state: "planned" });
  const { sql } = server;
  const open = async (account: { role: string; email: string } | null, path: string, width: number, height: number, scripts = true) => {
    const context = await newContext({ viewport: { width, height }, javaScriptEnabled: scripts });
    if (account) {
      const { token } = await loginAs(server, account);
      await context.addCookies([{ name: "nadi_session", value: token, url: server.url }]);
    }
    const page = await context.newPage();
    await page.goto(path);
    return page;
  };
  const staff = async ({ userId }: { userId: string }) => ({
    role: "staff",
    email: (await sql<{ email: string }[]>`select email from users where id = ${userId}`)[0]!.email,
  });
  const queue = await open(await staff(reception), "/desk/queue", 1366, 768, hasJs);
  const agenda = await open(await staff(second), "/desk?seen=1", 1280, 800, hasJs);
  const small = await open({ role: "doctor", email: doctor.email }, "/doctor/queue", 390, 844);
  const screen = await open(await staff(reception), `/clinic/${place.id}/screen`, 1280, 800, false);
  await screen.getByRole("button", { name: "Create the address" }).click();
  const address = await screen.getByRole("link", { name: "Open the screen" }).getAttribute("href");
  const tv = await open(null, new URL(address!).pathname, 1920, 1080);
  for (const page of hasJs ? [queue, agenda, small] : [small]) await hydrated(page);
  await small.getByRole("button", { name: /^Doctor is in/ }).click();
  await expect(small.getByText(/Doctor in since/)).toBeVisible();

  const truth = () =>
    getPlainQueue({ db: server.db, actor: null, now: new Date(), integrations: {}, requestId: "walk", ip: "" } as never, sessionId);
  const entryOf = async (name: string) =>
    (
      await sql<{ id: string; code: string }[]>`
        select e.id, e.code from queue_entries e join appointments a on a.id = e.appointment_id where e.session_id = ${sessionId} and a.patient_name = ${name}`
    )[0]!;
  const entries = await Promise.all(NAMES.map(entryOf));
  const phones: Page[] = [];
  for (const { code } of entries.slice(0, 3)) phones.push(await open(null, `/q/${code}`, 390, 844));

  /** Every screen says what the database says. */
  const agree = async () => {
    if (!hasJs) await Promise.all([queue.reload(), agenda.reload()]);
    const now = await truth();
    const all = [...now.waiting, ...now.expected, ...now.skipped, ...now.called, ...now.over, ...(now.withDoctor ? [now.withDoctor] : [])];
    const stateOf = (i: number) => all.find(({ id }) => id === entries[i]!.id)!.state;
    const current = now.called.at(-1) ?? now.withDoctor;
    const [next] = now.waiting;
    const ofQueue = (page: Page) => [
      expect(
        next
          ? page.getByRole("button", { name: new RegExp(`^Next patient\\s*${next.number},`) })
          : page.getByText("No patient is waiting.").first(),
      ).toBeVisible(),
      expect(
        current
          ? page.getByRole("button", {
              name: new RegExp(`^${current.state === "called" ? "With the doctor" : "Done"}: ${current.number},`),
            })
          : page.getByText("The doctor is free"),
      ).toBeVisible(),
    ];
    const numbers = now.waiting.slice(0, 3).map(({ number }) => number);
    await Promise.all([
      ...ofQueue(queue),
      ...ofQueue(small),
      expect(tv.locator("li b")).toHaveText(current ? String(current.number) : "–"),
      numbers.length ? expect(tv.locator("li strong")).toHaveText(numbers.join(", ")) : expect(tv.locator("li strong")).toHaveCount(0),
      ...NAMES.map((name, i) =>
        expect(agenda.getByRole("row").filter({ hasText: name })).toContainText(IN_AGENDA[stateOf(i)] ?? "no such state"),
      ),
      ...all
        .filter(({ id }) => !entries.some((booked) => booked.id === id))
        .map(({ id, state }) => expect(agenda.locator(`[data-visit="${id}"]`)).toContainText(IN_AGENDA[state] ?? "no such state")),
      ...phones.map((phone, i) => expect(phone.locator("main")).toContainText(ON_PHONE[stateOf(i)] ?? "no such state")),
    ]);
  };
  const press = (page: Page, button: string) =>
    page
      .getByRole("button", { name: new RegExp(`^${button}`) })
      .first()
      .click();
  let given = 0;
  const audited = async () => Number((await sql<{ id: string }[]>`select coalesce(max(id), 0)::text as id from audit_log`)[0]!.id);
  return {
    queue,
    agenda,
    doctor: small,
    phones,
    giveToken: async (button = /^Give token/) => {
      const name = `Walk-in ${String.fromCharCode(65 + Math.floor(given / 26), 97 + (given++ % 26))}`;
      if (!hasJs) await queue.getByRole("link", { name: "Add a walk-in" }).click();
      await queue.getByLabel("Phone number").fill(typed(newPhone()));
      await queue.getByLabel("Patient name").fill(name);
      await queue.getByRole("button", { name: button }).click();
      await expect(queue.getByText(`for ${name}.`)).toBeVisible();
    },
    press,
    menu: async (page, of, button) => {
      await page.getByLabel(of).first().click();
      await press(page, button);
    },
    follow: async (events) => {
      for (const [what, act] of events)
        await test.step(what, async () => {
          const before = await audited();
          const from = performance.now();
          await act();
          await expect.poll(audited).toBeGreaterThan(before);
          await agree();
          test.info().annotations.push({ type: what, description: `${Math.round(performance.now() - from)} ms` });
        });
    },
  };
}

/** Takes the fee of a patient who is here in cash: two presses. */
async function takeCash({ agenda }: Walk, name: string) {
  await agenda.getByRole("link", { name: `Take ₹500: ${name}` }).click();
  await agenda.getByRole("button", { name: "Record payment" }).click();
  await expect(agenda.getByText("Payment recorded").first()).toBeVisible();
  await agenda.goto("/desk?seen=1");
  await expect(agenda.getByRole("row").filter({ hasText: name }).getByText("₹500 due")).toHaveCount(0);
}

const SHORT = (walk: Walk): Events => {
  const { queue, agenda, doctor, phones, giveToken, press, menu } = walk;
  return [
    ["the first patient arrives by phone", () => press(phones[0]!, "I have arrived")],
    ["the second is checked in at the agenda", () => press(agenda, `Check in: ${SECOND}`)],
    ["a walk-in gets a token", () => giveToken()],
    ["the walk-in leaves, at the agenda", () => menu(agenda, /^More actions for Walk-in/, "Left the clinic")],
    ["the walk-in is back, at the agenda", () => press(agenda, "Back again: Walk-in")],
    ["an emergency comes first", () => giveToken(/^Emergency/)],
    ["three act at once", () => Promise.all([press(phones[2]!, "I have arrived"), press(doctor, "Next patient"), giveToken()])],
    ["the patient goes in", () => press(queue, "With the doctor")],
    ["the next is called too early", () => press(doctor, "Next patient")],
    ["the call is undone", () => press(doctor, "Undo")],
    ["both press Next at once", () => Promise.all([press(doctor, "Next patient"), press(queue, "Next patient")])],
    ["cash is taken", () => takeCash(walk, SECOND)],
    ["a called patient is skipped", () => press(queue, "Skip")],
  ];
};

/** Of one more patient, from the door to the end of the visit. */
const ofOne = ({ queue, agenda, doctor, giveToken, press }: Walk, name: string, i: number): Events => [
  [`${name} is checked in`, () => press(agenda, `Check in: ${name}`)],
  [`a walk-in beside ${name}`, () => giveToken(i % 2 ? /^Emergency/ : /^Give token/)],
  ["the doctor calls", () => press(doctor, "Next patient")],
  ["reception sends in", () => press(queue, "With the doctor")],
  ["the doctor is done", () => press(doctor, "Done")],
  ["reception calls", () => press(queue, "Next patient")],
  ["the doctor sends in", () => press(doctor, "With the doctor")],
  ["reception ends it", () => press(queue, "Done")],
];

// With scripts the day of 60 events begins with it.
test("a short day of the clinic: every screen is right after each event", { tag: "@no-js" }, async ({ server, hasJs, newContext }) => {
  const walk = await begin({ server, hasJs, newContext });
  await walk.follow(SHORT(walk));
});

// Without scripts: the short day above.
test("a day of 60 events: two receptionists, a doctor and three patients at once", { tag: "@js" }, async ({
  server,
  hasJs,
  newContext,
}) => {
  test.setTimeout(900_000);
  const walk = await begin({ server, hasJs, newContext });
  const { queue, agenda, doctor, giveToken, press, menu } = walk;
  await walk.follow([
    ...SHORT(walk),
    ...NAMES.slice(3, 6).flatMap((name, i) => ofOne(walk, name, i)),
    // Those who are expected are listed above.
    [
      "the skipped patient is back",
      () =>
        queue
          .getByRole("button", { name: /^Check in/ })
          .last()
          .click(),
    ],
    ["a patient who waits leaves", () => menu(queue, /^More for token/, "Left the clinic")],
    ["the doctor calls again", () => press(doctor, "Next patient")],
    ["the patient is inside", () => press(doctor, "With the doctor")],
    [
      "one is not coming while the doctor is done",
      () => Promise.all([menu(agenda, new RegExp(`^More actions for ${NAMES[6]}`), "Not coming"), press(doctor, "Done")]),
    ],
    ...ofOne(walk, NAMES[7]!, 0),
  ]);
  // The rest of the 60: the doctor goes on, and when nobody waits another patient comes.
  const buttons = ["With the doctor", "Done", "Next patient"];
  const shown = async () => {
    for (const button of buttons) if (await doctor.getByRole("button", { name: new RegExp(`^${button}`) }).count()) return button;
    return null;
  };
  for (let i = 50; i < 60; i++) {
    const button = await shown();
    await walk.follow([[button ?? "another patient comes", () => (button ? press(doctor, button) : giveToken())]]);
  }
  // An appointment of tomorrow moves with three presses: its time, another time, "Move now".
  await agenda.goto(`/desk?day=${dayFromNow(1)}`);
  await agenda.getByRole("link", { name: /Change the time: Moves Tomorrow/ }).click();
  await agenda.getByRole("radio", { name: /12:00 PM/ }).check({ force: true });
  await press(agenda, "Move now");
  await expect(agenda.getByRole("row").filter({ hasText: "Moves Tomorrow" })).toContainText("12:00 PM");
});
