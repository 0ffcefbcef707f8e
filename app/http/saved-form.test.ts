import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { minutes } from "#app/lib/durations.ts";
import { isSecretField, openForm, readFormToSave, type SavedForm, sealForm } from "./saved-form.server.ts";

const NOW = new Date("2026-11-22T10:00:00Z");
const FORM: SavedForm = { account: "a", path: "/patient/profile/edit", fields: [["name", "రావు"]], files: ["me.jpg"] };

describe("a saved form", () => {
  it("decrypts for its account within 30 minutes", () => {
    const sealed = sealForm(FORM, NOW)!;
    expect(sealed).not.toContain("profile");
    expect(openForm(sealed, "a", new Date(NOW.getTime() + minutes(30)))).toEqual(FORM);
    expect(openForm(sealed, "a", new Date(NOW.getTime() + minutes(30) + 1))).toBe("late");
    expect(openForm(sealed, "b", NOW)).toBeNull();
    expect(openForm(`${sealed.slice(0, -1)}${sealed.endsWith("A") ? "B" : "A"}`, "a", NOW)).toBeNull();
    expect(openForm("", "a", NOW)).toBeNull();
  });
  it("is not saved when it is too large", () => {
    const fields = Array.from({ length: 4000 }, (_, i): [string, string] => [`f${i}`, crypto.randomUUID()]);
    expect(sealForm({ ...FORM, fields }, NOW)).toBeNull();
  });
  it("contains no password and no one-time code", () => {
    const secret = ["password", "currentPassword", "newPassword", "confirmPassword", "otp", "code", "saved_form"];
    const sealed = sealForm({ ...FORM, fields: secret.map((name) => [name, "x"]) }, NOW)!;
    expect(openForm(sealed, "a", NOW)).toMatchObject({ fields: [] });
  });
  it("omits every field that a route hides", () => {
    const hidden = globSync("app/{routes,http}/**/*.{ts,tsx}").flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/\bhide: \[([^\]]*)\]/g)].flatMap(([, names = ""]) => names.match(/\w+/g) ?? []),
    );
    expect(hidden).toContain("currentPassword");
    expect(hidden.filter((name) => !isSecretField(name))).toEqual([]);
  });
});

it("reads fields and file names, not the contents of files", async () => {
  const form = new FormData();
  form.append("name", "Asha");
  form.append("newRecords", new File(["bytes"], "scan.png"));
  form.append("newRecords", new File([], ""));
  expect(await readFormToSave(new Request("http://nadi.test/", { method: "POST", body: form }))).toEqual({
    fields: [["name", "Asha"]],
    files: ["scan.png"],
  });
});
