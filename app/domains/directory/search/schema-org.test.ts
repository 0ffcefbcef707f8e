import { describe, expect, it } from "vitest";
import { SPECIALTIES } from "#app/domains/directory/specialties.ts";
import { doctorEntry, hospitalEntry } from "./schema-org.ts";

const hospital = {
  name: "Care Labs",
  about: "",
  address: "MG Road",
  city: "Vijayawada",
  state: "Andhra Pradesh",
  pinCode: "520010",
  phone: null,
  email: null,
  latitude: 16.5,
  longitude: 80.6,
  specialties: [],
  rating: null,
};
const doctor = {
  name: "Dr. Rao",
  about: "",
  city: "Vijayawada",
  state: "Andhra Pradesh",
  languages: [],
  rating: null,
  hospitalName: null,
  hospitalPhone: null,
};

describe("hospitalEntry", () => {
  it("gives a hospital its position", () => {
    expect(hospitalEntry({ ...hospital, kind: "Hospital" }, "https://nadi.example/hospital/1")).toMatchObject({
      "@type": "Hospital",
      geo: { "@type": "GeoCoordinates", latitude: 16.5, longitude: 80.6 },
    });
  });
  it("gives a laboratory no position, which schema.org does not allow", () => {
    const entry = hospitalEntry({ ...hospital, kind: "Laboratory" }, "https://nadi.example/hospital/1");
    expect(entry["@type"]).toBe("DiagnosticLab");
    expect(entry).not.toHaveProperty("geo");
  });
  it("leaves out what is unknown", () => {
    expect(
      Object.values(hospitalEntry({ ...hospital, kind: "Pharmacy", latitude: null }, "https://nadi.example/hospital/1")),
    ).not.toContain(null);
  });
});

describe("doctorEntry", () => {
  it.each(SPECIALTIES)("names %s by the value of schema.org, or omits it", (specialization) => {
    const value = doctorEntry({ ...doctor, specialization }, "https://nadi.example/details/doctor/1", null).medicalSpecialty;
    if (["Ayurveda", "Homeopathy"].includes(specialization)) expect(value).toBeUndefined();
    else expect(value).toMatch(/^https:\/\/schema\.org\/[A-Z]\w+$/);
  });
});
