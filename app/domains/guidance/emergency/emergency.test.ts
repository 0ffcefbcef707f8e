import { describe, expect, it } from "vitest";
import type { EmergencyState } from "#app/db/schema/index.ts";
import { dialable, readableNumber } from "./dialable.ts";
import { CONTACT_SECONDS, EMERGENCY_ACTIONS, MOST_HOSPITALS, stateAt, statesBefore } from "./emergency.state.ts";
import { type FoundHospital, mergeHospitals } from "./merge-hospitals.ts";
import { distanceWord, problemWord } from "./words.ts";

describe("a number that can be dialled", () => {
  it.each([
    ["+91 98765 43210", "+919876543210"],
    ["09876543210", "+919876543210"],
    ["919876543210", "+919876543210"],
    ["0866 257 7123", "+918662577123"],
    ["(0866) 2577123; 0866 2577124", "+918662577123"],
    ["1800 123 4567", "18001234567"],
    ["108", "108"],
    ["112", "112"],
  ])("%s", (text, phone) => expect(dialable(text)).toBe(phone));
  it.each([
    "",
    "not known",
    "12345",
    "tel:108",
    "javascript:alert(1)",
    "+91 98765 43210<script>",
    "*#06#",
    "98765 43210 ext 5",
    "+1 202 555 0123 99",
    "0000000000",
    "9".repeat(100),
    null,
    undefined,
    9876543210,
    {},
  ])("refuses %s", (text) => expect(dialable(text)).toBeNull());
  it("is displayed in groups", () => {
    expect(readableNumber("+919876543210")).toBe("+91 98765 43210");
    expect(readableNumber("18001234567")).toBe("1800 123 4567");
    expect(readableNumber("108")).toBe("108");
  });
});

const HERE = { latitude: 16.5, longitude: 80.64 };
const at = (km: number) => ({ latitude: HERE.latitude + km / 111.2, longitude: HERE.longitude });
const hospital = (name: string, km: number | null, phone: string | null = null, address = "Main Road"): FoundHospital => ({
  name,
  address,
  phone,
  latitude: km === null ? null : at(km).latitude,
  longitude: km === null ? null : at(km).longitude,
});
const names = (list: { name: string }[]) => list.map(({ name }) => name);

describe("one list of several sources", () => {
  it("sorts the nearest first and maps before the model, in any order of the input", () => {
    const merged = mergeHospitals(
      HERE,
      [hospital("Far", 4, "0866 2577123"), hospital("Near", 0.4, "0866 2577124")],
      [hospital("Model", null, "0866 2577125")],
    );
    expect(names(merged)).toEqual(["Near", "Far", "Model"]);
    expect(merged.map((h) => h.phoneVerified)).toEqual([true, true, false]);
    expect(merged[0]?.distance).toBeGreaterThan(380);
    expect(merged[2]).toMatchObject({ distance: null, at: null });
  });
  it("merges one place of two sources, and not two places of one name", () => {
    const merged = mergeHospitals(
      HERE,
      [
        hospital("Sri Durga Hospital", 1, null),
        hospital("SRI DURGA Multi Speciality Hospitals", 1.1, "0866 2577123"),
        hospital("Sri Durga Hospital", 5),
      ],
      [],
    );
    expect(names(merged)).toEqual(["Sri Durga Hospital", "Sri Durga Hospital"]);
    expect(merged[0]).toMatchObject({ phone: "+918662577123", phoneVerified: true });
  });
  it("marks a number that only the model gives, and sorts it below a known one", () => {
    const merged = mergeHospitals(
      HERE,
      [hospital("Nearest", 0.2), hospital("Next", 3, "0866 2577123")],
      [hospital("Nearest Hospital", null, "98765 43210"), hospital("Next", null, "98765 43211")],
    );
    expect(merged).toMatchObject([
      { name: "Next", phone: "+918662577123", phoneVerified: true },
      { name: "Nearest", phone: "+919876543210", phoneVerified: false },
    ]);
  });
  it("drops markup, places beyond 10 km and coordinates of a model", () => {
    const merged = mergeHospitals(
      HERE,
      [
        hospital("<b>Bold</b>", 1),
        hospital("Delhi", 1500),
        hospital("  ", 1),
        hospital("Good\n\u202eHospital", 1, "javascript:1", "<script>"),
      ],
      [{ ...hospital("Model", 0.1), phone: null }, hospital("<img src=x onerror=alert(1)>", null)],
    );
    expect(names(merged)).toEqual(["Good Hospital", "Model"]);
    expect(merged[0]).toMatchObject({ address: "", phone: null });
    expect(merged[1]).toMatchObject({ distance: null, at: null });
  });
});

describe("the state table (spec 001 §4.5)", () => {
  const run = (state: EmergencyState, count = MOST_HOSPITALS) => ({ state, changedAt: new Date(0), hospitals: Array(count).fill({}) });
  it("contacts each of 3 hospitals for 30 seconds, then completes", () => {
    expect([CONTACT_SECONDS, MOST_HOSPITALS]).toEqual([30, 3]);
    const seen = [0, 29.9, 30, 59.9, 60, 89.9, 90, 4000].map((s) => {
      const { state, index, left } = stateAt(run("CONTACTING"), new Date(s * 1000));
      return [state, index, left];
    });
    expect(seen).toEqual([
      ["CONTACTING", 0, 30],
      ["CONTACTING", 0, 1],
      ["CONTACTING", 1, 30],
      ["CONTACTING", 1, 1],
      ["CONTACTING", 2, 30],
      ["CONTACTING", 2, 1],
      ["COMPLETED", 0, 0],
      ["COMPLETED", 0, 0],
    ]);
    expect(stateAt(run("CONTACTING", 1), new Date(31_000)).state).toBe("COMPLETED");
  });
  it("reports a search as failed when its process ended", () => {
    expect(stateAt(run("FINDING_HOSPITALS"), new Date(10_000)).state).toBe("FINDING_HOSPITALS");
    expect(stateAt(run("FINDING_HOSPITALS"), new Date(16_000)).state).toBe("ERROR");
  });
  it("Start Over returns home from every state, and only a contacting run can be stopped", () => {
    expect(statesBefore("startOver")).toEqual(["GETTING_LOCATION", "FINDING_HOSPITALS", "CONTACTING", "COMPLETED", "ERROR"]);
    expect(statesBefore("stop")).toEqual(["CONTACTING"]);
    expect(statesBefore("press")).toEqual([]);
    for (const { to } of Object.values(EMERGENCY_ACTIONS).filter((a) => a.to !== "IDLE"))
      expect(Object.values(EMERGENCY_ACTIONS).some(({ from }) => (from as readonly string[]).includes(to))).toBe(true);
  });
});

it("has the texts of the specification (001 §8)", () => {
  expect(problemWord("denied")).toBe(
    "Location access was denied. Please enable location permissions in your browser settings to use this feature.",
  );
  expect(problemWord("no-location")).toBe("Could not get your location. Please enable location services in your browser and try again.");
  expect(problemWord("none-2km")).toBe("No hospitals found within a 2km radius. Please try again or contact emergency services directly.");
  expect(problemWord("none-10km")).toBe("No hospitals found within 10 km. Please call 108 for emergency services.");
  expect(problemWord("unknown")).toBe("An unknown error occurred while fetching hospitals.");
  expect(problemWord("maps")).toContain("failed to load");
  expect(problemWord("unknown-place")).toContain("108");
  expect(distanceWord(843)).toBe("840 m away");
  expect(distanceWord(2)).toBe("10 m away");
  expect(distanceWord(3449)).toBe("3.4 km away");
  expect(distanceWord(3449, true)).toBe("3.4 km from the centre");
});
