import { expect, it } from "vitest";
import { contradicts, SPECIALTIES } from "./specialties.ts";

it("finds a category that contradicts the specialty, and accepts one that agrees or is unknown", () => {
  expect(contradicts("Dentistry", "Cardiologist")).toBe(true);
  expect(contradicts("Gastroen", "Pediatrician")).toBe(true);
  for (const [category, specialty] of [
    ["Cardiology", "Cardiologist"],
    ["Cardiology", "Pediatric Cardiology"],
    ["General", "Pulmonologist"],
    ["Orthopedics", "Orthopedic"],
    ["Vaccination", "Pediatrician"],
    ["Dentistry", "Orthodontics"],
    ["", ""],
  ] as const)
    expect(contradicts(category, specialty), `${category}, ${specialty}`).toBe(false);
  expect(SPECIALTIES.filter((one) => contradicts(one, one))).toEqual([]);
});
