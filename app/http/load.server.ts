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
