import { expect, test } from "vitest";
import { measureFirstView } from "../setup/first-view.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer } from "../setup/server.ts";

test("m", async () => {
  const server = await startServer();
  try {
    const p = await loginAs(server, DEMO.patient);
    const s = `nadi_session=${p.token}`;
    for (const path of ["/", "/choose-role", "/dual-patient", "/patient/notifications", 
      "/patient-dashboard",
      "/patient-dashboard?category=Cardiology",
      "/doctorspages/Cards-data",
      "/location",
      "/location?q=gun",
      "/patient/appointments/Query",
      "/patient/calendar",
      "/patient/profile",
    ]) {
      for (const enc of ["gzip", "br"] as const) {
        const v = await measureFirstView(server.url, path, enc, s);
        console.log(path, enc, v.status, v.html, v.css, v.html + v.css, 14 * 1024 - v.html - v.css, "js", v.js);
      }
    }
    const page = await p.get("/patient-dashboard");
    (await import("node:fs")).writeFileSync("/tmp/city-dash.html", page.text);
  } finally {
    await server.stop();
  }
  expect(1).toBe(1);
}, 60000);
