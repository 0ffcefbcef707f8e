/** The pages of every role, for HTTP tests of all pages. */

import { PAGE_GROUPS, placesOf } from "./pages.ts";
import { DEMO } from "./people.ts";
import type { TestServer } from "./server.ts";
import { STAFF_GROUPS, staffPlacesOf } from "./staff-pages.ts";

type Group = {
  whose: string;
  account: { role: string; phone?: string; email?: string } | null;
  paths: (server: Pick<TestServer, "sql">) => Promise<string[]>;
};

export const EVERY_GROUP: Group[] = [
  ...PAGE_GROUPS.map(({ whose, account, pages, beside }) => ({
    whose,
    account: account && DEMO[account],
    paths: async (server: Pick<TestServer, "sql">) => {
      const places = await placesOf(server);
      return [...pages(places), ...(beside?.(places) ?? [])];
    },
  })),
  ...STAFF_GROUPS.map(({ whose, account, pages }) => ({
    whose,
    account,
    paths: async (server: Pick<TestServer, "sql">) => pages(await staffPlacesOf(server)),
  })),
];

/** Pages that no other list has: those of an owner with choices. */
export const OWNER_PAGES: Group = {
  whose: "an owner's",
  account: DEMO.owner,
  paths: async ({ sql }) => {
    const [place] = await sql<{ id: string }[]>`
      select hospital_id as id from memberships m join users u on u.id = m.user_id where u.email = ${DEMO.owner.email} and m.role = 'owner' limit 1`;
    const pages = [
      "",
      "/doctors",
      "/invite",
      "/refund-policy",
      "/web",
      "/webhooks",
      "/webhooks/add",
      "/screen",
      "/takings",
      "/results",
      "/import",
      "/patients",
      "/export",
    ];
    return pages.map((page) => `/clinic/${place!.id}${page}`);
  },
};
