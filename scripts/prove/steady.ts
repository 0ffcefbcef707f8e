/** A steady load of pages and bookings. Requests start on time, whether earlier ones have ended or not. */
import { setTimeout as pause } from "node:timers/promises";
import { residentOf } from "../processes.ts";
import { Clients, type Reply } from "./product/clients.ts";
import { atShare, below, countOf, indian, ms } from "./product/figures.ts";
import { withProduct } from "./product/product.ts";
import type { Proof } from "./proof.ts";

const PER_SECOND = 200;
/** The memory of the first minutes is that of filling caches. */
const SETTLED = 0.3;

const proof: Proof = {
  title: `${PER_SECOND} requests a second (short form: 40): patients' dashboards, lists, doctors and times, pages of visitors, and one booking in twenty. Two workers.`,
  async run({ short, minutes = short ? 0.15 : 30, report }) {
    const perSecond = short ? 40 : PER_SECOND;
    const seconds = Math.round(minutes * 60);
    const bookings = Math.ceil((seconds * perSecond) / 20) + 100;
    await withProduct({ times: Math.min(bookings, 120_000), env: { WEB_CONCURRENCY: "2" } }, async ({ server, wishes, cookies }) => {
      const clients = new Clients(server.port, 256);
      const [times, odd]: [number[], (string | number)[]] = [[], []];
      const memory: { minute: number; mb: number }[] = [];
      let booked = 0;
      const request = (n: number): Promise<Reply> => {
        const cookie = cookies[n % cookies.length]!;
        const { doctorId } = wishes[n % wishes.length]!;
        if (n % 20 === 0 && booked < wishes.length) return clients.book(wishes[booked++]!);
        if (n % 5 === 0) return clients.get("/doctorspages/Cards-data");
        if (n % 4 === 0) return clients.get("/patient-dashboard", cookie);
        if (n % 3 === 0) return clients.get(`/details/doctor/${doctorId}`, cookie);
        if (n % 2 === 0) return clients.get(`/patient/appointments/datetime?doctorId=${doctorId}`, cookie);
        return clients.get("/doctorspages/Cards-data", cookie);
      };
      const pending = new Set<Promise<void>>();
      const began = performance.now();
      const elapsed = () => (performance.now() - began) / 1000;
      let sent = 0;
      let measured = -1;
      while (elapsed() < seconds) {
        for (const due = Math.floor(elapsed() * perSecond); sent < due; sent++) {
          const one: Promise<void> = request(sent)
            .then(({ status, ms: took }) => {
              times.push(took);
              if (status !== 200 && status !== 303) odd.push(status);
            })
            .finally(() => pending.delete(one));
          pending.add(one);
        }
        if (Math.floor(elapsed() / 5) > measured) {
          measured = Math.floor(elapsed() / 5);
          memory.push({ minute: elapsed() / 60, mb: residentOf(server.pid) });
        }
        await pause(5);
      }
      await Promise.all(pending);
      clients.close();
      const settled = memory.slice(Math.floor(memory.length * SETTLED));
      report({ what: "requests", value: `${indian(sent)} in ${seconds} s` });
      report({ what: "p50, p99", value: `${ms(atShare(times, 0.5))}, ${ms(atShare(times, 0.99))}` });
      report(below("p95", atShare(times, 0.95), 250));
      report({ what: "statuses other than 200 and 303", value: countOf(odd) || "none" });
      report(below("errors", (odd.length / sent) * 100, 0.01, (n) => `${n.toFixed(3)} %`));
      report({ what: "memory at the start, at the most, at the end", value: memoryOf(memory) });
      const slope = { what: "memory, slope after the first third", value: `${slopeOf(settled).toFixed(1)} MB a minute` };
      report(minutes >= 10 ? { ...slope, target: "< 1 MB a minute", met: slopeOf(settled) < 1 } : slope);
    });
  },
};
export default proof;

const memoryOf = (points: readonly { mb: number }[]) =>
  [points[0]!.mb, Math.max(...points.map(({ mb }) => mb)), points.at(-1)!.mb].map((mb) => `${mb.toFixed(0)} MB`).join(", ");

/** Returns the slope of the line with the smallest squares, in MB a minute. */
function slopeOf(points: readonly { minute: number; mb: number }[]): number {
  const mean = (of: (point: { minute: number; mb: number }) => number) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean(({ minute }) => minute), mean(({ mb }) => mb)];
  const spread = points.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, { minute, mb }) => sum + (minute - x) * (mb - y), 0) / spread;
}
