import { load } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";

export const middleware = [requireRole("patient")];
export const loader = load(async () => null);
export default function Wallet() {
  return <Page title={m.wallet_title()}>{null}</Page>;
}
