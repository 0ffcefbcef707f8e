import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { actorCtxOf } from "./context.ts";
import { throwRefusal } from "./refusals.server.ts";

/** Wraps a loader: converts a DomainError to the error page with its status and message, and a database failure to 503. */
export function load<Args, T>(loader: (args: Args) => Promise<T> | T): (args: Args) => Promise<T> {
  return async (args) => {
    try {
      return await loader(args);
    } catch (error) {
      throwRefusal(error);
    }
  };
}

/** Wraps a loader of the areas of users like `load`. `ctx`: the domain context, with the logged-in user as its actor. */
export const loadOwn = <Args extends { context: Parameters<typeof actorCtxOf>[0] }, T>(
  loader: (ctx: Ctx<Actor>, args: Args) => Promise<T> | T,
): ((args: Args) => Promise<T>) => load((args: Args) => loader(actorCtxOf(args.context), args));
