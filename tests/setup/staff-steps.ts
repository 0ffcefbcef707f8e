/** Steps that the browser tests of reviewer and admin pages share. */
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { filesystemStore } from "#app/integrations/storage/filesystem.server.ts";
import { makeCase, type TestCase } from "../factories/cases.ts";
import { expect } from "./browser.ts";
import { DEMO_KEY } from "./database.ts";
import type { TestServer } from "./server.ts";

/** The key of the server, and documents whose pictures open. */
export const storedCase = ({ dataDir }: TestServer) => {
  const store = filesystemStore(join(dataDir, "files"));
  return { key: DEMO_KEY, put: (key: string, bytes: Buffer) => store.put(key, bytes, "image/jpeg") };
};
export const krishnaHospital = async (server: TestServer) => {
  const [row] = await server.sql<{ id: string; name: string }[]>`select id, name from hospitals where name = 'Krishna Heart Centre'`;
  return row!;
};
export const waiting = async (server: TestServer, name: string): Promise<TestCase> =>
  makeCase(server.db, { ...storedCase(server), hospital: await krishnaHospital(server), name });
export const statusOf = async (server: TestServer, of: { id: string }) =>
  (await server.sql`select registration_status s from doctors where id = ${of.id}`)[0]?.s;
export const expectText = (page: Page, words: string | RegExp) => expect(page.getByText(words).first()).toBeVisible();
export const choose = (page: Page, document: string, decision: string) =>
  page
    .getByRole("group", { name: `Decision on: ${document}` })
    .getByLabel(decision, { exact: true })
    .check();
