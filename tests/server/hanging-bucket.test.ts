/** A bucket that does not answer: an upload is refused on its form before the deadline of the page, and stored when the bucket is back. */
import { expect, it } from "vitest";
import { makePlace } from "../factories/members.ts";
import { newPhone } from "../factories/people.ts";
import { httpStub } from "../mocks/http-stub.ts";
import { multipart, picture } from "../setup/applications.ts";
import { loginAs } from "../setup/people.ts";
import { startServer } from "../setup/server.ts";

it("refuses a photo on its form with the typed name, and takes it when the bucket answers", async () => {
  let hangs = true;
  await using stub = await httpStub(() => (hangs ? "hang" : {}));
  const server = await startServer({
    seed: false,
    env: {
      UPLOADS_S3_ENDPOINT: stub.url,
      UPLOADS_S3_BUCKET: "nadi",
      UPLOADS_S3_ACCESS_KEY_ID: "id",
      UPLOADS_S3_SECRET_ACCESS_KEY: "secret",
    },
  });
  try {
    const patient = await loginAs(server, { role: "patient", phone: newPhone() });
    const form = async () =>
      multipart({ name: "Typed Name", gender: "female" }, { photo: [[await picture(), "me.jpg"]] } as Parameters<typeof multipart>[1]);
    const refused = await patient.postFiles("/patient/profile/edit", await form());
    expect(refused.status).toBe(503);
    expect(refused.text).toContain('value="Typed Name"');
    expect(stub.seen.map(({ method }) => method)).toEqual(["PUT"]);
    const place = await makePlace(server.db);
    const [{ email }] = await server.sql<[{ email: string }]>`select email from users where id = ${place.owner.userId}`;
    const owner = await loginAs(server, { role: "staff", email });
    const register = { file: [[new Blob(["Name,Mobile\nSita,9000000121\n"]), "register.csv"]] } as Parameters<typeof multipart>[1];
    expect((await owner.postFiles(`/clinic/${place.id}/import`, await multipart({ kind: "patients" }, register))).status).toBe(503);
    expect(await server.sql`select from imports`).toHaveLength(0);
    hangs = false;
    expect((await patient.postFiles("/patient/profile/edit", await form())).status).toBe(303);
  } finally {
    await server.stop();
  }
});
