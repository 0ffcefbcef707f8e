import { expect, it } from "vitest";
import { doctorDocuments, doctors, files, users } from "#app/db/schema/index.ts";
import { days } from "#app/lib/durations.ts";
import { plain } from "../../../../tests/factories/plain.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { sweepFiles } from "./sweep-files.server.ts";

it("deletes unattached uploads, and never the documents of an open application", async () => {
  const { db, ctx } = testDb();
  const [user] = await db.insert(users).values({ role: "doctor", email: "sweep@test.example" }).returning({ id: users.id });
  await db.insert(doctors).values({ id: user!.id });
  const old = new Date(Date.now() - days(30));
  const upload = async (name: string) => {
    const [file] = await db
      .insert(files)
      .values({
        ownerId: user!.id,
        purpose: "doctor-document",
        storageKey: `doctor-document/${name}`,
        mediaType: "image/jpeg",
        byteSize: 1,
        originalName: plain(name),
        createdAt: old,
      })
      .returning({ id: files.id });
    return file!.id;
  };
  const [document, orphan] = [await upload("document"), await upload("orphan")];
  await db.insert(doctorDocuments).values({ doctorId: user!.id, kind: "profileImage", fileId: document });
  expect(await sweepFiles(ctx())).toBe(1);
  expect((await db.select({ id: files.id }).from(files)).map((f) => f.id)).toEqual([document]);
  expect(orphan).not.toBe(document);
});
