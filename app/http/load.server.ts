import { throwRefusal } from "./refusals.server.ts";

/** Wraps a loader: a DomainError becomes the error page with its status and sentence, a database that is away a 503. */
export function load<Args, T>(loader: (args: Args) => Promise<T> | T): (args: Args) => Promise<T> {
  return async (args) => {
    try {
      return await loader(args);
    } catch (error) {
      throwRefusal(error);
    }
  };
}
