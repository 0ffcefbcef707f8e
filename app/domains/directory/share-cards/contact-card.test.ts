import { expect, test } from "vitest";
import { contactCard } from "./contact-card.ts";

const hospital = { name: "Krishna Heart Centre", address: "Eluru Road", city: "Vijayawada", pinCode: "520002", phone: "+918660000000" };
const doctor = { name: "Dr. Asha Rao", specialization: "Cardiologist", hospital, url: "https://nadi.example/details/doctor/1" };
const linesOf = (card: string) => card.replaceAll("\r\n ", "").split("\r\n");

test("has name, specialization, hospital, its phone and address, and the page", () => {
  const lines = linesOf(contactCard(doctor));
  expect(lines.slice(0, 2)).toEqual(["BEGIN:VCARD", "VERSION:3.0"]);
  expect(lines).toEqual(
    expect.arrayContaining([
      "FN:Dr. Asha Rao",
      "N:Rao;Asha;;Dr.;",
      "TITLE:Cardiologist",
      "ORG:Krishna Heart Centre",
      "TEL;TYPE=WORK,VOICE:+918660000000",
      "ADR;TYPE=WORK:;;Eluru Road;Vijayawada;;520002;India",
      "URL:https://nadi.example/details/doctor/1",
    ]),
  );
  expect(lines.some((line) => line.startsWith("REV"))).toBe(false);
});

test("a name cannot add lines, and long lines are folded at 75 bytes", () => {
  const name = `Dr. A, B; C\\\r\nTEL:+910000000000 ${"విజయవాడ ".repeat(20)}`;
  const card = contactCard({ ...doctor, name });
  expect(linesOf(card).filter((line) => line.startsWith("TEL"))).toHaveLength(1);
  expect(linesOf(card).find((line) => line.startsWith("FN:"))).toContain("Dr. A\\, B\\; C\\\\\\nTEL:+910000000000");
  for (const line of card.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
});

test.each([
  ["Dr. Lakshmi Prasanna Devi", "N:Devi;Lakshmi Prasanna;;Dr.;"],
  ["Dr Ramesh", "N:;Ramesh;;Dr;"],
  ["Meher Shaik", "N:Shaik;Meher;;;"],
])("%s has prefix, given and family name in their fields", (name, line) => {
  expect(linesOf(contactCard({ ...doctor, name }))).toContain(line);
});

test("a doctor without a hospital has no address and no phone", () => {
  expect(contactCard({ ...doctor, hospital: null })).not.toMatch(/^(TEL|ADR|ORG)/m);
});
