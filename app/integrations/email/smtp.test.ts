import { expect, test } from "vitest";
import { DomainError } from "#app/lib/domain-error.ts";
import { type Manner, smtpSink } from "../../../tests/mocks/smtp-sink.ts";
import { smtpEmail } from "./smtp.server.ts";

const email = { to: "someone@demo.test", subject: "Your visit", body: "Tomorrow, 10:30 AM.\n.\nNadi", id: "job 1f" };
const FROM = "Nadi <no-reply@nadi.invalid>";

test("sends the whole email", async () => {
  await using sink = await smtpSink();
  await smtpEmail({ url: sink.url, from: FROM }).send(email);
  expect(sink.emails).toHaveLength(1);
  const [{ from, to, data }] = sink.emails as [(typeof sink.emails)[number]];
  expect([from, to]).toEqual(["no-reply@nadi.invalid", ["someone@demo.test"]]);
  expect(data).toContain("Subject: Your visit");
  expect(data).toContain("Tomorrow, 10:30 AM.\n.\nNadi");
});

test.each(["REQUEST", "CANCEL"] as const)("has an appointment as a part that calendars read as %s, and as a file", async (method) => {
  await using sink = await smtpSink();
  const content = `BEGIN:VCALENDAR\r\nMETHOD:${method}\r\nEND:VCALENDAR\r\n`;
  await smtpEmail({ url: sink.url, from: FROM }).send({ ...email, calendar: { method, content } });
  const { data } = sink.emails[0]!;
  expect(data).toContain(`Content-Type: text/calendar; charset=utf-8; method=${method}\n`);
  expect(data).toContain("Content-Type: multipart/alternative");
  expect(data).toContain("filename=nadi-appointment.ics");
  expect(data).toContain("Tomorrow, 10:30 AM.");
});

test("gives a second copy of an email the same Message-ID, and another email another one", async () => {
  await using sink = await smtpSink();
  const sender = smtpEmail({ url: sink.url, from: FROM });
  for (const id of ["job 1f", "job 1f", "job 2e"]) await sender.send({ ...email, id });
  const ids = sink.emails.map(({ data }) => /^Message-ID: (.*)$/im.exec(data)?.[1]);
  expect(ids).toEqual(["<job-1f@nadi.invalid>", "<job-1f@nadi.invalid>", "<job-2e@nadi.invalid>"]);
});

test("adds no header or recipient for a line break in a subject or an address", async () => {
  await using sink = await smtpSink();
  await smtpEmail({ url: sink.url, from: FROM }).send({ ...email, subject: "Your visit\r\nBcc: other@demo.test" });
  await smtpEmail({ url: sink.url, from: FROM })
    .send({ ...email, to: "someone@demo.test\r\nRCPT TO:<other@demo.test>" })
    .catch(() => {});
  for (const { to, data } of sink.emails) {
    expect(to).toHaveLength(1);
    expect(data).not.toMatch(/^Bcc:/m);
  }
});

test.each<Manner>(["refuses", "drops", "silent", "trickles"])("a server that %s", async (manner) => {
  await using sink = await smtpSink(manner);
  const started = performance.now();
  const error = await smtpEmail({ url: sink.url.replace("//", "//user:secret-word@"), from: FROM }, 300)
    .send(email)
    .then(
      () => null,
      (e: unknown) => e,
    );
  expect(error).toBeInstanceOf(DomainError);
  expect((error as DomainError).code).toBe("unavailable");
  expect(String((error as DomainError).cause) + String(error)).not.toMatch(/secret-word|someone@|Tomorrow/);
  expect(sink.emails).toHaveLength(0);
  expect(performance.now() - started).toBeLessThan(2500);
});

test("refuses when the connection is refused", async () => {
  await expect(smtpEmail({ url: "smtp://127.0.0.1:1", from: FROM }, 300).send(email)).rejects.toMatchObject({ code: "unavailable" });
});
