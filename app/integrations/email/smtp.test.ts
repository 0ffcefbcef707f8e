import { expect, test } from "vitest";
import { DomainError } from "#app/lib/domain-error.ts";
import { type Manner, smtpSink } from "../../../tests/mocks/smtp-sink.ts";
import { smtpEmail } from "./smtp.server.ts";

const letter = { to: "someone@demo.test", subject: "Your visit", body: "Tomorrow, 10:30 AM.\n.\nNadi" };
const FROM = "Nadi <no-reply@nadi.invalid>";

test("a letter arrives whole", async () => {
  await using sink = await smtpSink();
  await smtpEmail({ url: sink.url, from: FROM }).send(letter);
  expect(sink.letters).toHaveLength(1);
  const [{ from, to, data }] = sink.letters as [(typeof sink.letters)[number]];
  expect([from, to]).toEqual(["no-reply@nadi.invalid", ["someone@demo.test"]]);
  expect(data).toContain("Subject: Your visit");
  expect(data).toContain("Tomorrow, 10:30 AM.\n.\nNadi");
});

test("a line break in a subject or an address adds no header and no receiver", async () => {
  await using sink = await smtpSink();
  await smtpEmail({ url: sink.url, from: FROM }).send({ ...letter, subject: "Your visit\r\nBcc: other@demo.test" });
  await smtpEmail({ url: sink.url, from: FROM })
    .send({ ...letter, to: "someone@demo.test\r\nRCPT TO:<other@demo.test>" })
    .catch(() => {});
  for (const { to, data } of sink.letters) {
    expect(to).toHaveLength(1);
    expect(data).not.toMatch(/^Bcc:/m);
  }
});

test.each<Manner>(["refuses", "drops", "silent", "trickles"])("a server that %s", async (manner) => {
  await using sink = await smtpSink(manner);
  const started = performance.now();
  const error = await smtpEmail({ url: sink.url.replace("//", "//user:secret-word@"), from: FROM }, 300)
    .send(letter)
    .then(
      () => null,
      (e: unknown) => e,
    );
  expect(error).toBeInstanceOf(DomainError);
  expect((error as DomainError).code).toBe("unavailable");
  expect(String((error as DomainError).cause) + String(error)).not.toMatch(/secret-word|someone@|Tomorrow/);
  expect(sink.letters).toHaveLength(0);
  expect(performance.now() - started).toBeLessThan(2500);
});

test("nobody there", async () => {
  await expect(smtpEmail({ url: "smtp://127.0.0.1:1", from: FROM }, 300).send(letter)).rejects.toMatchObject({ code: "unavailable" });
});
