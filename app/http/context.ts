import { createContext } from "react-router";
import type { LiveSession } from "#app/domains/accounts/queries.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { Toast } from "./toast.server.ts";

/** What the server knows of a request before React Router sees it. Set by app/server/listener.ts. */
export type RequestFacts = {
  requestId: string;
  /** The client's address, believed through TRUST_PROXY proxies only. */
  ip: string;
  now: Date;
  /** CSP nonce; null in development, where Vite needs inline scripts. */
  nonce: string | null;
  /** A page without scripts: the person asked for it (`lite=1`, Save-Data) or the page is cached for visitors. */
  lite: boolean;
};
export const factsContext = createContext<RequestFacts>();

/** The live session of this request; null for a visitor. */
export type Session = LiveSession;
/** Who acts, for the domains. */
export const actorOf = ({ userId, role, provenAt }: Session): Actor => ({ userId, role, provenAt });
export const sessionContext = createContext<Session | null>(null);
export const toastContext = createContext<Toast | null>(null);
/** The context given to domains. */
export const ctxContext = createContext<Ctx>();

type Reader = Readonly<{ get<T>(key: ReturnType<typeof createContext<T>>): T }>;
/** The domain context of this request, for whoever is looking. */
export const ctxOf = (context: Reader): Ctx => context.get(ctxContext);
/** The hash of this request's session token; empty for a visitor. */
export const sessionHashOf = (context: Reader): string => context.get(sessionContext)?.tokenHash ?? "";
/** The same for routes behind `requireRole`: there is an actor. */
export function actorCtxOf(context: Reader): Ctx<Actor> {
  const ctx = ctxOf(context);
  if (!ctx.actor) throw new Error("actorCtxOf on a route without requireRole");
  return ctx as Ctx<Actor>;
}
