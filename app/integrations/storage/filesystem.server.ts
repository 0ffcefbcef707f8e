import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unavailable } from "../failure.server.ts";
import { checkKey } from "./key.ts";
import type { FileStore } from "./storage.server.ts";

const isMissing = (error: unknown) => error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

/** Stores files in a directory that only the process's user can read. */
export function filesystemStore(root: string): FileStore {
  const pathOf = (key: string) => join(root, checkKey(key));
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      const temporary = `${path}.${randomBytes(6).toString("hex")}.part`;
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        // Flush and rename: after a crash there is the whole file or none.
        const file = await open(temporary, "wx", 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(temporary, path);
      } catch (cause) {
        await rm(temporary, { force: true }).catch(() => {});
        throw unavailable("the file store", cause);
      }
    },
    async get(key) {
      const path = pathOf(key);
      try {
        return await readFile(path);
      } catch (cause) {
        if (isMissing(cause)) return null;
        throw unavailable("the file store", cause);
      }
    },
    async remove(key) {
      const path = pathOf(key);
      await rm(path, { force: true }).catch((cause) => {
        if (!isMissing(cause)) throw unavailable("the file store", cause);
      });
    },
  };
}
