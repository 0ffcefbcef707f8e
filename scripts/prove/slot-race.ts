/** Hundreds of patients press "Book" for the same time at once. */
import { bookedId, Clients } from "./product/clients.ts";
import { atShare, below, countOf, ms, none } from "./product/figures.ts";
import { compare, withProduct } from "./product/product.ts";
import type { Proof } from "./proof.ts";

const proof: Proof = {
  title: `500 patients (short form: 100) book one time at once.`,
  async run({ short, report }) {
    const [patients, rounds] = short ? [100, 3] : [500, 20];
    // A patient takes part in ten rounds at most: 20 bookings an hour are allowed.
    await withProduct({ times: patients * 15 * Math.ceil(rounds / 10) }, async ({ server, wishes, cookies }) => {
      const clients = new Clients(server.port, patients);
      const [times, statuses, acknowledged]: [number[], number[], string[]] = [[], [], []];
      let wrong = 0;
      for (let round = 0; round < rounds; round++) {
        const slot = wishes[round]!;
        const from = Math.floor(round / 10) * patients;
        const replies = await Promise.all(
          Array.from({ length: patients }, (_, n) => clients.book({ ...slot, cookie: cookies[from + n]! })),
        );
        const won = replies.map(bookedId).filter((id) => id !== null);
        if (won.length !== 1) wrong++;
        acknowledged.push(...won);
        times.push(...replies.map((reply) => reply.ms));
        statuses.push(...replies.map(({ status }) => status));
      }
      clients.close();
      const { lost, twice, stored } = await compare(server.sql, acknowledged);
      report({ what: "patients, rounds", value: `${patients}, ${rounds}` });
      report(none("rounds without exactly one booking", wrong));
      report({
        what: "bookings in the database",
        value: `${stored}, ${lost} acknowledged ones lost, ${twice} times booked twice`,
        target: `${rounds}, 0, 0`,
        met: stored === rounds && lost === 0 && twice === 0,
      });
      report({ what: "statuses", value: countOf(statuses), detail: true });
      report(none("answers of 5xx or none", statuses.filter((status) => status === 0 || status >= 500).length));
      report({ what: "p50", value: ms(atShare(times, 0.5)) });
      report(below("slowest answer", Math.max(...times), 3_000));
    });
  },
};
export default proof;
