import type { Plugin } from "vite";

/**
 * Corrections of postgres.js 3.4.9 for pools under load, as text that is replaced in its files:
 * - A small write waits for `setImmediate`. When the socket closes meanwhile, the write fails in the timer, and the process ends
 *   (porsager/postgres#1154). The timer of the closed socket also stays set, so that the next one never writes anything.
 * - A transaction whose connection closed goes on with its next query on the new connection, outside of any transaction.
 * - A `BEGIN` that fills the pipeline of a connection (100 queries), or whose write has to wait, does not reserve the connection. The transaction fails
 *   with UNSAFE_TRANSACTION, and queries of other requests run inside it until it ends (porsager/postgres#823, #1189).
 * - A new connection reads the types of the database. When the pool ends meanwhile, the error of that query has no handler, and the process
 *   ends. The query that opened the connection has an error of its own.
 * - A reserved connection between two queries goes back to the pool when its socket has written a large query.
 */
const CORRECTIONS: Record<string, readonly (readonly [find: string, replace: string])[]> = {
  "connection.js": [
    [
      "      return write(toBuffer(q))\n        && !q.describeFirst\n        && !q.cursorFn\n        && sent.length < max_pipeline\n        && (!q.options.onexecute || q.options.onexecute(connection))\n",
      "      const written = write(toBuffer(q))\n      if (q.options.onexecute) return q.options.onexecute(connection), false\n      return written && !q.describeFirst && !q.cursorFn && sent.length < max_pipeline\n",
    ],
    ["        return fetchArrayTypes()\n", "        return fetchArrayTypes().catch(() => {})\n"],
    ["    !query && onopen(connection)\n", "    !query && !connection.reserved && onopen(connection)\n"],
    [
      "    if (terminated)\n      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options))\n",
      "    if (terminated)\n      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options))\n\n    if (socket === null)\n      return queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true\n",
    ],
    ["    const x = socket.write(chunk, fn)\n", "    const x = socket === null || socket.write(chunk, fn)\n"],
    ["    terminated = false\n", "    terminated = false\n    chunk = nextWriteTimer = null\n"],
    [
      "    incomings = null\n    clearImmediate(nextWriteTimer)\n",
      "    incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n",
    ],
  ],
  "index.js": [
    ["      , connection\n      , prepare = null\n", "      , connection\n      , gone = null\n      , prepare = null\n"],
    ["connection.onclose = reject)", "connection.onclose = e => (gone = e, reject(e)))"],
    [
      "        q.catch(e => uncaughtError || (uncaughtError = e))\n",
      "        q.catch(e => uncaughtError || (uncaughtError = e))\n        if (gone) return q.reject(gone)\n",
    ],
  ],
};
/** @internal */
export const CORRECTED_FILES = Object.keys(CORRECTIONS);

/**
 * Returns a file of postgres.js with its corrections.
 * @throws when the package has changed such a part
 */
export function withCorrections(code: string, file: string): string {
  return (CORRECTIONS[file] ?? []).reduce((text, [find, replace]) => {
    if (text.split(find).length !== 2)
      throw new Error(`postgres.js has changed: ${file} has no "${find.trim()}" (vite/postgres-corrections.ts)`);
    return text.replace(find, () => replace);
  }, code);
}

/** Builds postgres.js into the server with the corrections above: the process survives an outage of the database, and no other query runs in a transaction. */
export function postgresCorrections(): Plugin {
  return {
    name: "nadi-postgres-corrections",
    applyToEnvironment: (environment) => environment.name === "ssr",
    transform(code, id) {
      const [, file] = /[\\/]node_modules[\\/]postgres[\\/]src[\\/]([\w-]+\.js)/.exec(id) ?? [];
      return file && CORRECTED_FILES.includes(file) ? { code: withCorrections(code, file), map: null } : null;
    },
  };
}
