/** Memory of a server while six photographs of 49 megapixels come at once (docs/decisions/039). */
import sharp from "sharp";
import { newPhone } from "../../tests/factories/people.ts";
import { loginAs } from "../../tests/setup/people.ts";
import { startServer } from "../../tests/setup/server.ts";
import { residentOf } from "../processes.ts";
import type { Proof } from "./proof.ts";

const AT_ONCE = 6;

/** Noise compresses badly, as a photograph of leaves does: 3 to 10 MB. */
async function photograph(progressive: boolean): Promise<Buffer> {
  const [width, height] = [2_000, 1_750];
  const noise = await sharp({
    create: { width, height, channels: 3, background: "#777777", noise: { type: "gaussian", mean: 128, sigma: 40 } },
  })
    .png()
    .toBuffer();
  return sharp(noise).resize(8_000, 6_125, { kernel: "nearest", fit: "fill" }).jpeg({ quality: 30, progressive }).toBuffer();
}

const proof: Proof = {
  title: `${AT_ONCE} JPEGs of 49 megapixels at once, each by another patient: resident memory of the server, and whether they are stored. Short form: the progressive ones, which need more.`,
  async run({ short, report }) {
    for (const kind of short ? (["progressive"] as const) : (["baseline", "progressive"] as const)) {
      const bytes = await photograph(kind === "progressive");
      const server = await startServer({ seed: false });
      try {
        const patients = await Promise.all(Array.from({ length: AT_ONCE }, () => loginAs(server, { role: "patient", phone: newPhone() })));
        const send = async (patient: (typeof patients)[number]) => {
          const form = new FormData();
          form.append("name", "Proof Patient");
          form.append("gender", "female");
          form.append("photo", new File([new Uint8Array(bytes)], "photo.jpg", { type: "image/jpeg" }));
          return (await patient.postFiles("/patient/profile/edit", form)).status;
        };
        await Promise.all(patients.map((patient) => patient.get("/patient/profile")));
        const before = residentOf(server.pid);
        let peak = before;
        const sampling = setInterval(() => {
          peak = Math.max(peak, residentOf(server.pid));
        }, 20);
        const began = performance.now();
        const statuses = await Promise.all(patients.map(send));
        const took = (performance.now() - began) / 1000;
        clearInterval(sampling);
        const count = (status: number) => statuses.filter((one) => one === status).length;
        const size = `${(bytes.length / 2 ** 20).toFixed(1)} MB each`;
        report({ what: `${kind} (${size}): memory before`, value: `${before.toFixed(0)} MB` });
        report({
          what: `${kind}: rise at the peak`,
          value: `${(peak - before).toFixed(0)} MB`,
          target: "< 350 MB",
          met: peak - before < 350,
        });
        report({
          what: `${kind}: answers`,
          value: `${count(303)} stored, ${count(503)} asked to try again, in ${took.toFixed(1)} s`,
          target: "no other answer",
          met: count(303) > 0 && count(303) + count(503) === AT_ONCE,
        });
      } finally {
        await server.stop();
      }
    }
  },
};
export default proof;
