import { AsyncLocalStorage } from "node:async_hooks";

const bound = new AsyncLocalStorage<number>();

/**
 * Google's package reads an answer however long it is, and searches all of it anew with each piece that comes: 10 MB held
 * the whole process for 17 s. It takes no `fetch` of ours, so the global one is asked whether such a call is under way.
 */
const plain = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const longest = bound.getStore();
  if (longest === undefined) return plain(input, init);
  // The key goes along as a header, which a redirect would carry to anybody.
  const response = await plain(input, { ...init, redirect: "error" });
  if (!response.body) return response;
  let size = 0;
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > longest) controller.error(new RangeError("the answer is too long"));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
};

/** Calls `fetch` from within fail once their answer is longer than so many bytes. */
export const withBoundedFetch = <T>(bytes: number, work: () => Promise<T>): Promise<T> => bound.run(bytes, work);
