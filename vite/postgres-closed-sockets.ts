import type { Plugin } from "vite";

/**
 * Corrections of postgres.js 3.4.9 for connections that close under load, as text that is replaced in its files:
 * - A small write waits for `setImmediate`. When the socket closes meanwhile, the write fails in the timer, and the process ends
 *   (porsager/postgres#1154). The timer of the closed socket also stays set, so that the next one never writes anything.
 * - A transaction whose connection closed goes on with its next query on the new connection, outside of any transaction.
 */
const CORRECTIONS: Record<string, readonly (readonly [find: string, replace: string])[]> = {
  "connection.js": [
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
export function withClosedSockets(code: string, file: string): string {
  return (CORRECTIONS[file] ?? []).reduce((text, [find, replace]) => {
    if (text.split(find).length !== 2)
      throw new Error(`postgres.js has changed: ${file} has no "${find.trim()}" (vite/postgres-closed-sockets.ts)`);
    return text.replace(find, () => replace);
  }, code);
}

/** Builds postgres.js into the server with the corrections above: the process survives an outage of the database. */
export function postgresClosedSockets(): Plugin {
  return {
    name: "nadi-postgres-closed-sockets",
    applyToEnvironment: (environment) => environment.name === "ssr",
    transform(code, id) {
      const [, file] = /[\\/]node_modules[\\/]postgres[\\/]src[\\/]([\w-]+\.js)/.exec(id) ?? [];
      return file && CORRECTED_FILES.includes(file) ? { code: withClosedSockets(code, file), map: null } : null;
    },
  };
}
