import { expect, it } from "vitest";
import { MESSAGE_TYPES, messageOf } from "./message.ts";

const sent = (kind: string, data: Record<string, string>) =>
  JSON.parse(
    messageOf({
      placeId: "place",
      createdAt: new Date(0),
      event: { kind, subjectId: "visit", doctorId: "doctor", data, at: new Date(0) },
      reference: "ND-7K2M-9QXA",
    }),
  ) as { type: string; data: object };

it("has one type with the same fields for each way in which an appointment gets another time", () => {
  const messages = ["reschedule", "move", "take-proposal"].map((action) =>
    sent(`appointment.${action}`, { to: "accepted", date: "2026-11-30", time: "10:00", field: "not sent" }),
  );
  for (const message of messages) expect(message).toEqual(messages[0]);
  expect(messages[0]).toMatchObject({ type: "appointment.move", data: { date: "2026-11-30", time: "10:00", reference: "ND-7K2M-9QXA" } });
  expect(messages[0]!.data).not.toHaveProperty("field");
  expect(MESSAGE_TYPES).not.toContain("appointment.reschedule");
  expect(MESSAGE_TYPES).toContain("appointment.move");
});
