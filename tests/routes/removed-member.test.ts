/** A member is removed while their page is open: the next request is out, the form gets a clear answer, and nothing changes. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Actor } from "#app/domains/context.server.ts";
import { makeMember, makePlace } from "../factories/members.ts";
import { plain } from "../setup/applications.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ seed: false });
});
afterAll(() => server?.stop());

const emailOf = async (id: string) => (await server.sql<{ email: string }[]>`select email from users where id = ${id}`)[0]!.email;
const login = async (who: Actor) => loginAs(server, { role: who.role, email: await emailOf(who.userId) });
const invitations = async (place: string) =>
  (await server.sql<{ n: number }[]>`select count(*)::int as n from memberships where hospital_id = ${place} and state = 'invited'`)[0]!.n;

it("logs out staff of one place, whose form changes nothing", async () => {
  const place = await makePlace(server.db);
  const second = await makeMember(server.db, place.id, "owner");
  const [owner, removed] = [await login(place.owner), await login(second)];
  const form = `/clinic/${place.id}/invite`;
  expect((await removed.get(form)).status).toBe(200);
  expect((await owner.post(`/clinic/${place.id}/staff/${second.memberId}/end`)).status).toBe(303);
  const answer = await removed.post(form, { email: "new@proof.test", role: "reception" });
  expect([answer.status, answer.location]).toEqual([303, "/dual-doctor"]);
  expect((await removed.get(form)).location).toContain("/dual-doctor?redirectTo=");
  expect(await invitations(place.id)).toBe(0);
});

it("closes only this place to staff of two, with a page that says that it is not found", async () => {
  const [place, other] = [await makePlace(server.db), await makePlace(server.db)];
  const second = await makeMember(server.db, place.id, "owner");
  await makeMember(server.db, other.id, "reception", { actor: second });
  const [owner, removed] = [await login(place.owner), await login(second)];
  expect((await removed.get(`/clinic/${place.id}/invite`)).status).toBe(200);
  expect((await owner.post(`/clinic/${place.id}/staff/${second.memberId}/end`)).status).toBe(303);
  const answer = await removed.post(`/clinic/${place.id}/invite`, { email: "new@proof.test", role: "reception" });
  expect(answer.status).toBe(404);
  expect(plain(answer.text)).not.toContain(place.name);
  expect(await invitations(place.id)).toBe(0);
  expect((await removed.get(`/clinic/${other.id}`)).status).toBe(200);
});
