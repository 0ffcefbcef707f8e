/** A folder of the cluster, which belongs to the user that runs its programs. */
import { chownSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { account } from "./programs.ts";

/** Gives a file or folder to the user of the programs. */
export function chown(path: string): void {
  const user = account();
  if (user) chownSync(path, user.uid, user.gid);
}

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "nadi-cluster-"));
  chown(folder);
  return folder;
}
