/** Step 2 of an application over HTTP: professional details and documents. */
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { files } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { allPictures, errorsOf, fieldValue, hugePng, multipart, newDoctor, picture, plain, professional } from "../setup/applications.ts";
import { Browser, type Fields } from "../setup/http.ts";
import { documentsOf, select, server } from "../setup/onboarding.ts";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";

describe("step 2, professional details (§5)", () => {
  let doctor: LoggedIn;
  beforeAll(async () => {
    doctor = await newDoctor(server);
    await doctor.post("/hospital-form", select());
    const received = await doctor.postFiles("/doctor-verification", multipart({ intent: "upload" }, await allPictures()));
    expect(received.location).toBe("/doctor-verification#documents");
  });
  const errorsFor = async (changes: Fields) => errorsOf(await doctor.postFiles("/doctor-verification", multipart(professional(changes))));

  it.each<[string, Fields, Record<string, string>]>([
    ["a name", { fullName: " " }, { fullName: "Full name is required" }],
    ["a gender", { gender: "" }, { gender: "Gender is required" }],
    ["a gender of the three", { gender: "robot" }, { gender: "Gender is required" }],
    ["a date of birth", { dateOfBirth: "" }, { dateOfBirth: "Date of birth is required" }],
    ["a date that exists", { dateOfBirth: "1985-02-30" }, { dateOfBirth: "Please enter a valid date of birth" }],
    ["a date of this century or the last", { dateOfBirth: "1885-02-03" }, { dateOfBirth: "Please enter a valid date of birth" }],
    ["an age of 21", { dateOfBirth: "2008-01-01" }, { dateOfBirth: "A doctor must be at least 21 years old" }],
    [
      "a council number",
      { medicalCouncilRegistrationNumber: "" },
      { medicalCouncilRegistrationNumber: "Medical council registration number is required" },
    ],
    ["a council", { medicalCouncilName: "" }, { medicalCouncilName: "Medical council name is required" }],
    ["a year of registration", { yearOfRegistration: "" }, { yearOfRegistration: "Year of registration is required" }],
    [
      "not after this year",
      { yearOfRegistration: "2999" },
      { yearOfRegistration: `Please enter a year from 1950 to ${new Date().getUTCFullYear()}` },
    ],
    [
      "not before 1950",
      { yearOfRegistration: "1949" },
      { yearOfRegistration: `Please enter a year from 1950 to ${new Date().getUTCFullYear()}` },
    ],
    [
      "not before the birth",
      { yearOfRegistration: "1980" },
      { yearOfRegistration: "The year of registration must be after the year of birth" },
    ],
    ["a specialization", { primarySpecialization: "" }, { primarySpecialization: "Primary specialization is required" }],
    ["a category of the list", { category: "Magic" }, { category: "Please choose a category from the list" }],
    ["experience", { experienceYears: "" }, { experienceYears: "Years of experience are required" }],
    ["experience that can be", { experienceYears: "71" }, { experienceYears: "Please enter a number of years from 0 to 70" }],
    ["experience not below 0", { experienceYears: "-1" }, { experienceYears: "Please enter a number of years from 0 to 70" }],
    ["a fee", { consultationFee: "" }, { consultationFee: "Consultation fee is required" }],
    ["a fee not below 0", { consultationFee: "-1" }, { consultationFee: "The consultation fee cannot be less than 0" }],
    ["a fee that is a number", { consultationFee: "five" }, { consultationFee: "Please enter the fee in rupees, for example 500" }],
    ["a fee of at most a lakh", { consultationFee: "100001" }, { consultationFee: "The consultation fee can be at most ₹1,00,000" }],
    ["about", { about: " \n " }, { about: "Please provide information in the About section" }],
    ["the first degree", { "qualifications[0].degree": "" }, { "qualifications[0].degree": "Degree is required" }],
    [
      "a degree for each row that is meant",
      { "qualifications[1].universityCollege": "AIIMS" },
      { "qualifications[1].degree": "Degree is required" },
    ],
    [
      "a year of a degree that can be",
      { "qualifications[0].year": "09" },
      { "qualifications[0].year": "Please enter the year as four digits, for example 2010" },
    ],
    ["a city", { city: "" }, { city: "Both city and state are required in location details" }],
    ["a state", { state: " " }, { state: "Both city and state are required in location details" }],
    [
      "twelve digits of Aadhaar",
      { aadhaarNumber: "12345678901" },
      { aadhaarNumber: "Invalid Aadhaar number format. Should be exactly 12 digits" },
    ],
    [
      "digits of Aadhaar",
      { aadhaarNumber: "12345678901a" },
      { aadhaarNumber: "Invalid Aadhaar number format. Should be exactly 12 digits" },
    ],
    [
      "a PAN of its form",
      { panNumber: "ABCD12345F" },
      { panNumber: "If providing PAN, format should be ABCDE1234F. You can also leave it empty." },
    ],
    [
      "a PAN of ten",
      { panNumber: "ABCDE1234FF" },
      { panNumber: "If providing PAN, format should be ABCDE1234F. You can also leave it empty." },
    ],
  ])("asks for %s", async (_, changes, errors) => expect(await errorsFor(changes)).toEqual(errors));

  it.each<[string, Fields]>([
    ["no Aadhaar and no PAN", {}],
    ["an Aadhaar whose check digit does not fit", { aadhaarNumber: "1234 5678 9012" }],
    ["a PAN in lower case", { panNumber: " abcde1234f " }],
    ["no fee at all", { consultationFee: "0" }],
    ["a fee with commas", { consultationFee: "₹1,200.50" }],
    ["an empty row below the first", { "qualifications[1].degree": "", "qualifications[1].year": "" }],
    ["Male, as the specification writes it", { gender: "Male" }],
    ["no category: General", { category: "" }],
    ["a city that is not listed", { city: "Nowherepalle" }],
  ])("takes %s", async (_, changes) => {
    const answer = await doctor.postFiles("/doctor-verification", multipart(professional(changes)));
    expect([answer.location, errorsOf(answer)]).toEqual(["/banking-information", {}]);
  });

  it("validates everything at once, with the documents", async () => {
    const other = await newDoctor(server);
    await other.post("/hospital-form", select());
    expect(errorsOf(await other.postFiles("/doctor-verification", multipart({ intent: "continue" })))).toMatchObject({
      fullName: "Full name is required",
      about: "Please provide information in the About section",
      profileImage: "Profile image is required",
      identityDocument: "Aadhaar image is required",
      medicalCouncilCertificate: "Medical council certificate image is required",
      qualificationCertificates: "At least one qualification certificate image is required",
    });
  });

  it("has 38 categories, General first", async () => {
    const page = (await doctor.get("/doctor-verification")).text;
    const options = /<select[^>]*name="category".*?<\/select>/s.exec(page)?.[0].match(/<option value="[^"]*"/g) ?? [];
    expect(options).toHaveLength(38);
    for (const name of ["General", "Dentistry", "Cardiology", "Pulmonary", "Neurology", "Gastroen", "Laboratory", "Vaccination"])
      expect(options).toContain(`<option value="${name}"`);
    const fresh = await newDoctor(server);
    await fresh.post("/hospital-form", select());
    expect(fieldValue(await fresh.get("/doctor-verification"), "category")).toBe("General");
  });

  it("adds and removes qualifications, preserves the others, and always leaves one", async () => {
    const own = await newDoctor(server);
    await own.post("/hospital-form", select());
    const typed = professional({ "qualifications[0].degree": "MBBS", about: "" });
    const added = await own.postFiles("/doctor-verification", multipart({ ...typed, intent: "add-qualification" }));
    expect(added.location).toBe("/doctor-verification#qualifications");
    let page = await own.get("/doctor-verification");
    const keys = [0, 1].map((i) => fieldValue(page, `qualifications[${i}].key`) ?? "");
    expect(fieldValue(page, "qualifications[0].degree")).toBe("MBBS");
    expect(fieldValue(page, "qualifications[1].degree")).toBe("");
    await own.postFiles(
      "/doctor-verification",
      multipart({
        ...typed,
        "qualifications[0].key": keys[0]!,
        "qualifications[1].key": keys[1]!,
        "qualifications[1].degree": "MD",
        intent: `remove-qualification:${keys[0]}`,
      }),
    );
    page = await own.get("/doctor-verification");
    expect(fieldValue(page, "qualifications[0].degree")).toBe("MD");
    expect(fieldValue(page, "qualifications[1].degree")).toBeNull();
    await own.postFiles("/doctor-verification", multipart({ intent: `remove-qualification:${keys[1]}` }));
    page = await own.get("/doctor-verification");
    expect(fieldValue(page, "qualifications[0].degree")).toBe("");
    for (let i = 0; i < 12; i++) await own.postFiles("/doctor-verification", multipart({ intent: "add-qualification" }));
    page = await own.get("/doctor-verification");
    expect(fieldValue(page, "qualifications[9].degree")).toBe("");
    expect(fieldValue(page, "qualifications[10].degree")).toBeNull();
  });

  it("finds the city and fills in the state", async () => {
    const own = await newDoctor(server);
    await own.post("/hospital-form", select());
    await own.postFiles("/doctor-verification", multipart(professional({ intent: "find-city", city: "gunt", state: "" })));
    const page = await own.get("/doctor-verification");
    const id = /value="place:(\d+)"[^>]*>Guntur, Andhra Pradesh</.exec(page.text)?.[1];
    expect(id).toBeDefined();
    await own.postFiles("/doctor-verification", multipart(professional({ intent: `place:${id}`, city: "gunt", state: "" })));
    expect(fieldValue(await own.get("/doctor-verification"), "city")).toBe("Guntur");
    expect(fieldValue(await own.get("/doctor-verification"), "state")).toBe("Andhra Pradesh");
    await own.postFiles("/doctor-verification", multipart(professional({ intent: "find-city", city: "Hyderabad, Telangana", state: "" })));
    expect(fieldValue(await own.get("/doctor-verification"), "state")).toBe("Telangana");
    expect((await own.postFiles("/doctor-verification", multipart({ intent: "place:999999999" }))).status).toBe(404);
  });

  it("stores listed and typed languages, each once", async () => {
    const own = await newDoctor(server);
    await own.post("/hospital-form", select());
    await own.postFiles(
      "/doctor-verification",
      multipart(professional({ intent: "upload", languages: ["Hindi", "Telugu"], otherLanguages: "Tulu,  konkani , hindi,," })),
    );
    const page = (await own.get("/doctor-verification")).text;
    const ticked = [...page.matchAll(/<input type="checkbox"[^>]* name="languages" checked="" value="([^"]*)"/g)].map(
      ([, language]) => language,
    );
    expect(page).toContain('value="Tulu, konkani"');
    expect(ticked).toEqual(["Hindi", "Telugu"]);
  });

  it("never shows a stored number, and preserves it while its field is empty", async () => {
    const own = await newDoctor(server);
    await own.post("/hospital-form", select());
    const numbers = { aadhaarNumber: "2345 6789 0124", panNumber: "zzzzz9876q" };
    const refused = await own.postFiles("/doctor-verification", multipart(professional({ ...numbers, about: "" })));
    for (const page of [refused, await own.get("/doctor-verification"), await own.get("/doctor-verification.data")]) {
      expect(page.text).not.toMatch(/2345 ?6789 ?0124|zzzzz9876q/i);
      expect(page.text).toContain("•••• 0124");
      expect(page.text).toContain("•••• 876Q");
    }
    // An invalid one is shown, to be corrected.
    const wrong = await own.postFiles("/doctor-verification", multipart(professional({ aadhaarNumber: "12345" })));
    expect(fieldValue(wrong, "aadhaarNumber")).toBe("12345");
    await own.postFiles("/doctor-verification", multipart(professional({ ...numbers, intent: "upload" })));
    await own.postFiles("/doctor-verification", multipart(professional({ intent: "upload" })));
    expect((await own.get("/doctor-verification")).text).toContain("•••• 0124");
    await own.postFiles("/doctor-verification", multipart({ intent: "clear:aadhaarNumber" }));
    const cleared = (await own.get("/doctor-verification")).text;
    expect(cleared).not.toContain("•••• 0124");
    expect(cleared).toContain("•••• 876Q");
  });

  it("shows a warning for an invalid Aadhaar number at the next step, and does not refuse it", async () => {
    await doctor.postFiles("/doctor-verification", multipart(professional({ aadhaarNumber: "234567890123" })));
    expect(plain((await doctor.get("/banking-information")).text)).toContain("The Aadhaar number •••• 0123 does not look right.");
    await doctor.postFiles("/doctor-verification", multipart(professional({ aadhaarNumber: "234567890124" })));
    expect((await doctor.get("/banking-information")).text).not.toContain("once more");
  });
});

describe("documents", () => {
  const fresh = async () => {
    const doctor = await newDoctor(server);
    await doctor.post("/hospital-form", select());
    return doctor;
  };
  const html = new Blob(["<html><script>alert(1)</script></html>"], { type: "image/png" });
  const pdf = new Blob(["%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer<<>>\n%%EOF"], { type: "image/jpeg" });
  const ONLY = "You can only add pictures: JPEG, PNG or WebP. Take a screenshot or a new photo and try again.";

  it("refuse other files beside their own field, and preserve other files and the text", async () => {
    const doctor = await fresh();
    const good = await picture();
    const truncated = new Blob([new Uint8Array(await (await picture(800, 800)).arrayBuffer()).slice(0, 900)], { type: "image/jpeg" });
    const svg = new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: "image/svg+xml" });
    const answer = await doctor.postFiles(
      "/doctor-verification",
      multipart(professional({ fullName: "Dr. Typed Name" }), {
        profileImage: [[html, "me.png"]],
        identityDocument: [[pdf, "aadhaar.pdf"]],
        medicalCouncilCertificate: [[good, "council.jpg"]],
        qualificationCertificates: [
          [truncated, "broken.jpg"],
          [await picture(), "fine.jpg"],
          [svg, "x.svg"],
        ],
      }),
    );
    expect(answer.status).toBe(415);
    expect(errorsOf(answer)).toEqual({ profileImage: ONLY, identityDocument: ONLY, qualificationCertificates: ONLY });
    expect(fieldValue(answer, "fullName")).toBe("Dr. Typed Name");
    expect((await documentsOf(doctor.userId)).map((d) => d.kind)).toEqual(["medicalCouncilCertificate", "qualificationCertificates"]);
    expect(answer.text.match(/rel="noopener"[^>]*><img/g)).toHaveLength(2);
    // Existing files survive every later failure.
    const later = await doctor.postFiles("/doctor-verification", multipart(professional({ about: "" })));
    expect(later.text.match(/rel="noopener"[^>]*><img/g)).toHaveLength(2);
    expect(errorsOf(later)).toEqual({
      about: "Please provide information in the About section",
      profileImage: "Profile image is required",
      identityDocument: "Aadhaar image is required",
    });
  });

  it("refuse 50,000 × 50,000 pixels, and files of more than 10 MB", async () => {
    const doctor = await fresh();
    const huge = await doctor.postFiles(
      "/doctor-verification",
      multipart(professional(), { profileImage: [[hugePng(50_000), "huge.png"]] }),
    );
    expect([huge.status, errorsOf(huge).profileImage]).toEqual([413, "This picture has too many pixels. Choose a smaller one."]);
    const heavy = await doctor.postFiles(
      "/doctor-verification",
      multipart(professional({ about: "Typed about" }), { profileImage: [[new Blob([new Uint8Array(11 * 1024 * 1024)]), "a.jpg"]] }),
    );
    expect([heavy.status, errorsOf(heavy).profileImage]).toEqual([413, "This picture is too large. Choose one of at most 10 MB."]);
    expect(fieldValue(heavy, "about")).toBe("Typed about");
    const heavier = await doctor.postFiles(
      "/doctor-verification",
      multipart(professional({ about: "Typed again" }), {
        medicalCouncilCertificate: [[await picture(), "c.jpg"]],
        profileImage: [[new Blob([new Uint8Array(25 * 1024 * 1024)]), "a.jpg"]],
      }),
    );
    expect([heavier.status, errorsOf(heavier)[""]]).toEqual([413, "This file is too large. Choose a smaller one."]);
    expect(fieldValue(heavier, "about")).toBe("Typed again");
    expect((await documentsOf(doctor.userId)).map((d) => d.kind)).toEqual(["medicalCouncilCertificate"]);
    const flood = await doctor.send("POST", "/doctor-verification", {
      body: "x",
      headers: { "content-type": "multipart/form-data; boundary=x", "x-declared": "1" },
    });
    expect(flood.status).toBe(400);
  });

  it("refuse 200 MB before reading them, and a body that ends half-way", async () => {
    const doctor = await fresh();
    const { raw } = await import("../setup/http.ts");
    const head = {
      host: new URL(server.url).host,
      origin: server.url,
      cookie: `nadi_session=${doctor.token}`,
      "content-type": "multipart/form-data; boundary=zz",
    };
    const flood = await raw(server.url, {
      method: "POST",
      path: "/doctor-verification",
      headers: { ...head, "content-length": String(200 * 1024 * 1024) },
      body: "--zz",
    }).catch((error: Error) => ({ status: 0, error }));
    expect([413, 0]).toContain(flood.status);
    const half = await raw(server.url, {
      method: "POST",
      path: "/doctor-verification",
      headers: head,
      body: `--zz\r\ncontent-disposition: form-data; name="fullName"\r\n\r\nDr\r\n--zz\r\ncontent-disposition: form-data; name="profileImage"; filename="a.jpg"\r\n\r\nhalf`,
    });
    expect(half.status).toBe(400);
    expect((await doctor.get("/doctor-verification")).status).toBe(200);
    expect(await documentsOf(doctor.userId)).toHaveLength(0);
  });

  it("count the newest of each of the first three kinds, up to ten certificates, and the same picture once", async () => {
    const doctor = await fresh();
    const me = await picture();
    const upload = async (pictures: Parameters<typeof multipart>[1]) =>
      doctor.postFiles("/doctor-verification", multipart({ intent: "upload" }, pictures));
    await upload({ profileImage: [[me, "a.jpg"]] });
    const [first] = await documentsOf(doctor.userId);
    await upload({ profileImage: [[me, "b.jpg"]] });
    expect(await documentsOf(doctor.userId)).toEqual([first]);
    await upload({ profileImage: [[await picture(), "c.jpg"]] });
    const now = await documentsOf(doctor.userId);
    expect(now).toHaveLength(1);
    expect(now[0]!.id).not.toBe(first!.id);
    expect(await server.sql`select status from files where id = ${first!.file_id}`).toEqual([{ status: "pending" }]);
    const ten = await Promise.all(Array.from({ length: 10 }, async (_, i): Promise<[Blob, string]> => [await picture(), `${i}.jpg`]));
    expect((await upload({ qualificationCertificates: ten })).location).toBe("/doctor-verification#documents");
    expect((await upload({ qualificationCertificates: [ten[3]!] })).location).toBe("/doctor-verification#documents");
    const eleventh = await upload({ qualificationCertificates: [[await picture(), "11.jpg"]] });
    expect(errorsOf(eleventh).qualificationCertificates).toBe("You can add at most 10 certificates");
    expect((await documentsOf(doctor.userId)).filter((d) => d.kind === "qualificationCertificates")).toHaveLength(10);
    // Sent at once by a double press.
    const certificate: [Blob, string] = [await picture(), "x.jpg"];
    const other = await fresh();
    await Promise.all(
      Array.from({ length: 4 }, () =>
        other.postFiles(
          "/doctor-verification",
          multipart({ intent: "upload" }, { qualificationCertificates: [certificate], profileImage: [certificate] }),
        ),
      ),
    );
    expect((await documentsOf(other.userId)).map((d) => d.kind).sort()).toEqual(["profileImage", "qualificationCertificates"]);
  });

  it("are removed by and shown to their owner, under names without personal data", async () => {
    const doctor = await fresh();
    await doctor.postFiles(
      "/doctor-verification",
      multipart({ intent: "upload" }, { identityDocument: [[await picture(), "234567890124.jpg"]] }),
    );
    const [document] = await documentsOf(doctor.userId);
    const { originalName, purpose, status } = files;
    const fields = { name: opened(originalName), purpose, status };
    expect(await server.db.select(fields).from(files).where(eq(files.id, document!.file_id))).toEqual([
      { name: "identityDocument.jpg", purpose: "doctor-document", status: "pending" },
    ]);
    const shown = await doctor.get(`/files/${document!.file_id}`);
    expect([shown.status, shown.headers.get("content-type"), shown.headers.get("cache-control")]).toEqual([200, "image/jpeg", "no-store"]);
    const stranger = await fresh();
    for (const other of [stranger, await loginAs(server, DEMO.patient), await loginAs(server, DEMO.reviewer), new Browser(server.url)])
      expect((await other.get(`/files/${document!.file_id}`)).status).toBe(404);
    await stranger.postFiles("/doctor-verification", multipart({ intent: `remove-document:${document!.id}` }));
    expect(await documentsOf(doctor.userId)).toHaveLength(1);
    const removed = await doctor.postFiles("/doctor-verification", multipart({ intent: `remove-document:${document!.id}` }));
    expect(removed.location).toBe("/doctor-verification#documents");
    expect(await documentsOf(doctor.userId)).toHaveLength(0);
    expect((await doctor.postFiles("/doctor-verification", multipart({ intent: `remove-document:${document!.id}` }))).location).toBe(
      "/doctor-verification#documents",
    );
  });

  it("have no location or text hidden in them", async () => {
    const doctor = await fresh();
    const secret = await sharp({ create: { width: 50, height: 50, channels: 3, background: "#123456" } })
      .jpeg()
      .withExif({ IFD0: { ImageDescription: "16.5N 80.6E" } })
      .toBuffer();
    await doctor.postFiles(
      "/doctor-verification",
      multipart({ intent: "upload" }, { profileImage: [[new Blob([new Uint8Array(secret)]), "a.jpg"]] }),
    );
    const [document] = await documentsOf(doctor.userId);
    expect((await doctor.get(`/files/${document!.file_id}`)).text).not.toContain("80.6E");
  });
});
