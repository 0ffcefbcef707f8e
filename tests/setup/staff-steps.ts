/** Steps that the browser tests of reviewer and admin pages share. */
import type { Page } from "@playwright/test";
import { makeCase, type TestCase } from "../factories/cases.ts";
import { expect } from "./browser.ts";
import { DEMO_KEY } from "./database.ts";
import type { TestServer } from "./server.ts";

export const krishnaHospital = async (server: TestServer) => {
  const [row] = await server.sql<{ id: string; name: string }[]>`select id, name from hospitals where name = 'Krishna Heart Centre'`;
  return row!;
};
export const waiting = async (server: TestServer, name: string): Promise<TestCase> =>
  makeCase(server.db, { key: DEMO_KEY, hospital: await krishnaHospital(server), name });
export const statusOf = async (server: TestServer, of: { id: string }) =>
  (await server.sql`select registration_status s from doctors where id = ${of.id}`)[0]?.s;
export const expectText = (page: Page, words: string | RegExp) => expect(page.getByText(words).first()).toBeVisible();
export const choose = (page: Page, document: string, decision: string) =>
  page
    .getByRole("group", { name: `Decision on: ${document}` })
    .getByLabel(decision, { exact: true })
    .check();
