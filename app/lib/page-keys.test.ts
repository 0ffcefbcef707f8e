import { describe, expect, it } from "vitest";
import { keysOfPage, keysToPurge } from "./page-keys.ts";

const one = "0d9c8f4e-0000-4000-8000-000000000001";
const other = "0d9c8f4e-0000-4000-8000-000000000002";
const drops = (path: string, doctorId?: string) => keysToPurge(doctorId).some((key) => keysOfPage(path).includes(key));

describe("keys of visitors' pages", () => {
  it("names the doctor and the hospital of a page", () => {
    expect(keysOfPage(`/details/doctor/${one}`)).toEqual(["directory", `doctor-${one}`]);
    expect(keysOfPage(`/hospital/${one}`)).toEqual(["directory", "lists", `hospital-${one}`]);
  });
  it("drops all pages but those of other doctors when one doctor changes", () => {
    for (const path of [`/details/doctor/${one}`, `/hospital/${one}`, "/h/care", "/d/rao", "/doctorspages/Cards-data", "/"])
      expect(drops(path, one), path).toBe(true);
    expect(drops(`/details/doctor/${other}`, one)).toBe(false);
  });
  it("drops every page when something else changes", () => {
    for (const path of [`/details/doctor/${one}`, `/hospital/${one}`, "/h/care", "/d/rao", "/"]) expect(drops(path), path).toBe(true);
  });
});
