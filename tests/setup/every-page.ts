/** The pages of every role, for the tests that read them all over HTTP. */
import { DESK_GROUPS, deskOf } from "./desk-pages.ts";
import { PAGE_GROUPS, placesOf } from "./pages.ts";
import { DEMO } from "./people.ts";
import type { TestServer } from "./server.ts";

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
  ...DESK_GROUPS.map(({ whose, account, pages }) => ({
    whose,
    account,
    paths: async (server: Pick<TestServer, "sql">) => pages(await deskOf(server)),
  })),
];
