/** What Linux says of a running server: the supervisor and its workers together. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Resident memory in MB of a process and all its descendants. */
export function residentOf(pid: number): number {
  return familyOf(pid).reduce((sum, one) => sum + Number(/VmRSS:\s+(\d+)/.exec(procFile(one, "status"))?.[1] ?? 0) / 1024, 0);
}

/** A process and its descendants. */
export function familyOf(pid: number): number[] {
  const own: number[] = [pid];
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`))
      for (const child of readFileSync(join(`/proc/${pid}/task`, thread, "children"), "utf8").split(" "))
        if (child) own.push(...familyOf(Number(child)));
  } catch {
    // It has ended.
  }
  return own;
}

/** The most memory in MB that a process and its descendants ever had, each at its own moment. */
export function peakOf(pid: number): number {
  return familyOf(pid).reduce((sum, one) => sum + Number(/VmHWM:\s+(\d+)/.exec(procFile(one, "status"))?.[1] ?? 0) / 1024, 0);
}

/** Processor time in milliseconds that a process and its descendants have used. */
export function processorTimeOf(pid: number): number {
  return familyOf(pid).reduce((sum, one) => {
    const fields = procFile(one, "stat").split(") ")[1]?.split(" ") ?? [];
    return sum + (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10; // clock ticks of 10 ms
  }, 0);
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return ""; // It has ended.
  }
}
