import { createContext } from "react-router";
import type { AreaName } from "#app/areas.ts";
import type { Lsn } from "#app/db/lsn.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { LiveSession } from "#app/domains/platform/accounts/queries.server.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import type { Toast } from "./toast.server.ts";

/** Facts of a request, set by app/server/listener.ts before React Router runs. */
export type RequestFacts = {
  requestId: string;
  /** IP address of the client, behind TRUST_PROXY proxies. */
  ip: string;
  now: Date;
  /** The rules of the route that the request was sent to. */
  rules: RouteRules;
  /** Its area, and its pattern as React Router writes it; undefined for a malformed path. */
  route: { pattern: string; area: AreaName } | undefined;
  /** CSP nonce; null in development, where Vite needs inline scripts. */
  nonce: string | null;
  /** The page is sent without scripts: the user chose it (`lite=1`, Save-Data) or it is cached for visitors. */
  lite: boolean;
};
export const factsContext = createContext<RequestFacts>();

/** An active session. */
export type Session = LiveSession;
/** Returns the actor of a session for commands. */
export const actorOf = ({ userId, role, provenAt }: Session): Actor => ({ userId, role, provenAt });
export const sessionContext = createContext<Session | null>(null);
/** What a standby must show to be read for this request: what its reader wrote before. */
export const seenContext = createContext<Lsn>(0n);
export const toastContext = createContext<Toast | null>(null);
/** The context given to domains. */
export const ctxContext = createContext<Ctx>();

type Reader = Readonly<{ get<T>(key: ReturnType<typeof createContext<T>>): T }>;
/** Returns the domain context of this request, of a user or a visitor. */
export const ctxOf = (context: Reader): Ctx => context.get(ctxContext);
/** Returns the hash of the session token; empty for a visitor. */
export const sessionHashOf = (context: Reader): string => context.get(sessionContext)?.tokenHash ?? "";
/** Returns the domain context in the areas of users, which has an actor. */
export function actorCtxOf(context: Reader): Ctx<Actor> {
  const ctx = ctxOf(context);
  if (!ctx.actor) throw new Error("actorCtxOf on a route that is open to visitors");
  return ctx as Ctx<Actor>;
}

/** Returns the area in which a page is mounted that several areas have (app/routes.ts): whose data it shows, where its links lead. */
export function areaIn<Name extends AreaName>(context: Reader, ...mounted: readonly Name[]): Name {
  const area = context.get(factsContext).route?.area;
  const found = mounted.find((name) => name === area);
  if (!found) throw new Error(`the page is not made for the area ${area}`);
  return found;
}
