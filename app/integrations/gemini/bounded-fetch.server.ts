import { AsyncLocalStorage } from "node:async_hooks";

const bound = new AsyncLocalStorage<number>();

/**
 * Limits the response size of Google's package, which searches the whole response again with each chunk: 10 MB blocked the
 * process for 17 s. It accepts no custom `fetch`, so the global one is wrapped.
 */
const plain = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const longest = bound.getStore();
  if (longest === undefined) return plain(input, init);
  // A redirect would send the key, a header, to another host.
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

/** Runs `work`. Its `fetch` calls fail when a response is longer than `bytes`. */
export const withBoundedFetch = <T>(bytes: number, work: () => Promise<T>): Promise<T> => bound.run(bytes, work);
