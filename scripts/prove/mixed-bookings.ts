/** Patients book, cancel and move at once. A ledger of what each response said is compared with the database. */
import { randomUUID } from "node:crypto";
import { bookedId, Clients, isDone } from "./product/clients.ts";
import { atLeast, atShare, countOf, ms, none } from "./product/figures.ts";
import { withProduct } from "./product/product.ts";
import type { Proof } from "./proof.ts";

const CLIENTS = 32;

/** What the last response about an appointment said. */
type Entry = { cookie: string; slot: string; cancelled: boolean };

const proof: Proof = {
  title: `${CLIENTS} clients book, cancel (one in five) and move (one in five) on a few times. A ledger of the responses is compared with the database. Short form: 400 bookings at a process that has just started.`,
  async run({ short, report }) {
    const [bookings, slots] = short ? [400, 80] : [5_000, 1_000];
    await withProduct({ times: bookings * 2 }, async ({ server, wishes, cookies }) => {
      const clients = new Clients(server.port, CLIENTS);
      const places = wishes.slice(0, slots);
      const nameOf = ({ doctorId, date, time }: (typeof places)[number]) => `${doctorId} ${date} ${time}`;
      const any = () => places[Math.floor(Math.random() * slots)]!;
      const ledger = new Map<string, Entry>();
      const statuses: number[] = [];
      const times: number[] = [];
      let [asked, changes] = [0, 0];
      const change = async (id: string, entry: Entry) => {
        const kind = Math.random();
        if (kind > 0.4) return;
        changes++;
        if (kind < 0.2) {
          const reply = await clients.cancel(id, entry.cookie);
          statuses.push(reply.status);
          if (isDone(reply)) entry.cancelled = true;
        } else {
          const doctor = entry.slot.split(" ")[0];
          const free = places.filter(({ doctorId }) => doctorId === doctor);
          const to = free[Math.floor(Math.random() * free.length)]!;
          const reply = await clients.move(id, entry.cookie, to.date, to.time);
          statuses.push(reply.status);
          if (isDone(reply)) entry.slot = nameOf(to);
        }
      };
      const began = performance.now();
      await Promise.all(
        Array.from({ length: CLIENTS }, async () => {
          while (asked < bookings) {
            const cookie = cookies[asked++ % cookies.length]!;
            const slot = any();
            const reply = await clients.book({ ...slot, cookie }, randomUUID());
            statuses.push(reply.status);
            times.push(reply.ms);
            const id = bookedId(reply);
            if (!id) continue;
            const entry = { cookie, slot: nameOf(slot), cancelled: false };
            ledger.set(id, entry);
            await change(id, entry);
          }
        }),
      );
      const seconds = (performance.now() - began) / 1000;
      clients.close();
      const rows = await server.sql<{ id: string; slot: string; status: string }[]>`
        select id, doctor_id || ' ' || date || ' ' || to_char(time, 'HH24:MI') as slot, status from appointments`;
      const open = rows.filter(({ status }) => status === "pending" || status === "accepted");
      const differs = rows.filter(({ id, slot, status }) => {
        const entry = ledger.get(id);
        return !entry || entry.slot !== slot || entry.cancelled !== (status === "cancelled");
      });
      report({ what: "bookings asked for, granted, on times", value: `${bookings}, ${ledger.size}, ${slots}` });
      report({ what: "cancellations and moves asked for", value: String(changes) });
      report({ what: "statuses", value: countOf(statuses), detail: true });
      report(none("times with two open appointments", open.length - new Set(open.map(({ slot }) => slot)).size));
      report(none("appointments that differ between ledger and database", differs.length + Math.abs(rows.length - ledger.size)));
      report(none("answers of 5xx or none", statuses.filter((status) => status === 0 || status >= 500).length));
      report({ what: "a booking, p50, p99", value: `${ms(atShare(times, 0.5))}, ${ms(atShare(times, 0.99))}` });
      report(atLeast("requests to book a second, with the changes between them", bookings / seconds, 250));
    });
  },
};
export default proof;
