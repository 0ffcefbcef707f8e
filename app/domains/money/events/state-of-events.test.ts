import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventFact } from "#app/db/schema/payment-orders.ts";
import { stateOfEvents } from "./state-of-events.ts";

const AMOUNT = 45_000;
type Status = "created" | "failed" | "authorized" | "captured" | "refunded";
const payment = (status: Status, refunded = 0, id = "pay_1"): EventFact => ({
  kind: `payment.${status}`,
  orderId: "order_1",
  payment: {
    id,
    status,
    amount: AMOUNT,
    currency: "INR",
    captured: status === "captured" || status === "refunded",
    refunded,
    method: "upi",
  },
  refund: null,
});
const refund = (status: "pending" | "processed" | "failed", amount: number, id = "rfnd_1"): EventFact => ({
  kind: `refund.${status}`,
  orderId: "order_1",
  payment: null,
  refund: { id, paymentId: "pay_1", status, amount, ownId: null, reference: null },
});

/** Whole histories as a provider sends them, of at most six messages. */
const HISTORIES: readonly [string, EventFact[], { state: string; refunded: number }][] = [
  ["a capture", [payment("created"), payment("authorized"), payment("captured")], { state: "captured", refunded: 0 }],
  [
    "a failed attempt that the bank authorizes late",
    [payment("failed"), payment("authorized"), payment("captured")],
    { state: "captured", refunded: 0 },
  ],
  [
    "a full refund",
    [payment("authorized"), payment("captured"), refund("pending", AMOUNT), refund("processed", AMOUNT), payment("refunded", AMOUNT)],
    { state: "refunded", refunded: AMOUNT },
  ],
  [
    "two partial refunds",
    [
      payment("authorized"),
      payment("captured"),
      refund("pending", 10_000),
      refund("processed", 10_000),
      refund("pending", 5000, "rfnd_2"),
      refund("processed", 5000, "rfnd_2"),
    ],
    { state: "partly-refunded", refunded: 15_000 },
  ],
  [
    "a refund that fails, and one that works",
    [
      payment("captured"),
      refund("pending", AMOUNT),
      payment("captured", AMOUNT),
      refund("failed", AMOUNT),
      refund("pending", 20_000, "rfnd_2"),
      refund("processed", 20_000, "rfnd_2"),
    ],
    { state: "partly-refunded", refunded: 20_000 },
  ],
];

function* ordersOf<T>(list: readonly T[]): Generator<T[]> {
  if (list.length === 0) return yield [];
  for (const [i, first] of list.entries()) for (const rest of ordersOf([...list.slice(0, i), ...list.slice(i + 1)])) yield [first, ...rest];
}

describe("the state of an order's events", () => {
  it.each(HISTORIES)("is the same in every order, and with every event repeated: %s", (_, events, { state, refunded }) => {
    const expected = stateOfEvents(events);
    expect(expected.payments).toEqual([{ id: "pay_1", state, amount: AMOUNT, refunded, reference: null }]);
    let orders = 0;
    for (const order of ordersOf(events)) {
      orders++;
      expect(stateOfEvents(order)).toEqual(expected);
      expect(stateOfEvents(order.flatMap((event) => [event, ...order]))).toEqual(expected);
    }
    expect(orders).toBe([1, 1, 2, 6, 24, 120, 720][events.length]);
  });
  it("is the same for any sequence and any repeats of the events that arrived", () => {
    const pool = HISTORIES.flatMap(([, events]) => events).concat(payment("captured", 0, "pay_2"), payment("failed", 0, "pay_2"));
    const arrived = fc.array(fc.constantFrom(...pool), { maxLength: 6 });
    fc.assert(
      fc.property(
        arrived.chain((events) =>
          fc.tuple(fc.constant(events), fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 })),
        ),
        ([events, again]) => {
          expect(stateOfEvents(again)).toEqual(stateOfEvents(events));
        },
      ),
      { numRuns: 2000 },
    );
  });
  it("never loses captured money when events are lost", () => {
    for (const [, events] of HISTORIES)
      for (let kept = 1; kept < 2 ** events.length; kept++) {
        const arrived = events.filter((_, i) => kept & (2 ** i));
        const proves = arrived.some((event) => event.payment?.captured || event.refund);
        const [known] = stateOfEvents(arrived).payments;
        expect(["captured", "partly-refunded", "refunded"].includes(known!.state)).toBe(proves);
      }
  });
  it("takes a refund that arrives before its payment as a captured payment", () => {
    expect(stateOfEvents([refund("processed", AMOUNT)]).payments).toEqual([
      { id: "pay_1", state: "partly-refunded", amount: null, refunded: AMOUNT, reference: null },
    ]);
    expect(stateOfEvents([refund("processed", AMOUNT), payment("authorized")]).payments[0]).toMatchObject({ state: "refunded" });
  });
  it("keeps two payments of one order apart", () => {
    const { payments } = stateOfEvents([payment("captured", 0, "pay_2"), payment("captured"), refund("processed", AMOUNT)]);
    expect(payments.map(({ id, state }) => [id, state])).toEqual([
      ["pay_1", "refunded"],
      ["pay_2", "captured"],
    ]);
  });
});
