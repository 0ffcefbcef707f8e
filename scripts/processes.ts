/** Reads memory and CPU time of the supervisor and its workers from /proc. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the resident memory in MB of a process and its descendants. */
export function residentOf(pid: number): number {
  return familyOf(pid).reduce((sum, one) => sum + Number(/VmRSS:\s+(\d+)/.exec(procFile(one, "status"))?.[1] ?? 0) / 1024, 0);
}

/** Returns a process and its descendants. */
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

/** Returns the sum of the peak memory in MB of a process and its descendants. */
export function peakOf(pid: number): number {
  return familyOf(pid).reduce((sum, one) => sum + Number(/VmHWM:\s+(\d+)/.exec(procFile(one, "status"))?.[1] ?? 0) / 1024, 0);
}

/** Returns the CPU time in milliseconds of a process and its descendants. */
export function processorTimeOf(pid: number): number {
  return familyOf(pid).reduce((sum, one) => {
    const fields = procFile(one, "stat").split(") ")[1]?.split(" ") ?? [];
    return sum + (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10; // clock ticks of 10 ms
  }, 0);
}

/** Returns the CPU time in milliseconds of the threads of a process and its descendants, exact for short intervals. */
export function threadTimeOf(pid: number): number {
  return familyOf(pid).reduce((sum, one) => sum + threadsOf(one).reduce((time, thread) => time + timeOf(one, thread), 0), 0);
}

const timeOf = (pid: number, thread: string) => Number(procFile(pid, `task/${thread}/schedstat`).split(" ", 1)[0] ?? 0) / 1e6;

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // It has ended.
  }
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return ""; // It has ended.
  }
}
