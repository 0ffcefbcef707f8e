import type { Wish } from "./world.ts";

/** Returns the form of the second step of a booking as a browser without scripts sends it. `name`: the patient. */
export function bookingForm({ doctorId, date, time }: Wish, { name, key }: { name: string; key: string }) {
  const fields = {
    intent: "book",
    idempotencyKey: key,
    name,
    phone: "9000000009",
    age: "41",
    gender: "female",
    bloodGroup: "",
    medicalHistory: "",
    reason: "",
  };
  const boundary = "----nadiform";
  const parts = Object.entries(fields).map(
    ([field, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  return {
    path: `/patient/appointments/patient-detail?${new URLSearchParams({ doctorId, date, time })}`,
    type: `multipart/form-data; boundary=${boundary}`,
    body: `${parts.join("")}--${boundary}--\r\n`,
  };
}
