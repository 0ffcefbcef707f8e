import { expect, it } from "vitest";
import { typedPlace } from "#app/domains/guidance/emergency/typed-place.server.ts";
import { searchCities } from "#app/domains/platform/location/queries.server.ts";
import { soundKey } from "#app/lib/sound.ts";
import { seedReference } from "#demo/index.server.ts";
import { makeDoctor } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { listDoctors } from "../doctors/queries.server.ts";
import { listHospitals } from "../hospitals/directory.server.ts";
import { wantedIn } from "./own-script.server.ts";
import { refreshSearchWords } from "./search.server.ts";

const { db, sql, ctx } = testDb();
const NOW = new Date("2026-11-21T10:00:00+05:30");
const near = { latitude: 16.5, longitude: 80.6 };
await seedReference({ db, now: NOW });
const doctor = (name: string, specialization: string, category: string) => makeDoctor(db, { name, specialization, category });
await doctor("Dr. K. Srinivas", "Cardiologist", "Cardiology");
await doctor("Dr. Sreenivasa Rao", "Dentist", "Dentistry");
await doctor("Dr. Venkateswara Rao", "Pediatrician", "General");
await doctor("Dr. Lakshmi Reddy", "Dermatologist", "General");
await doctor("Dr. Laxmi Devi", "Gynecologist", "General");
await doctor("డా. సరోజిని", "Ophthalmologist", "General");
await doctor("Dr. Ahmed Khan", "Neurologist", "Neurology");
const hospital = (name: string, area: string, city: string, latitude: number) => sql`
  insert into hospitals (name, category, address, area, city, state, status, latitude, longitude, specialties)
  values (${name}, 'General', 'x', ${area}, ${city}, 'Andhra Pradesh', 'active', ${latitude}, 80.6, '{Cardiology}')`;
await hospital("Apollo Clinic", "Labbipet", "Vijayawada", 16.5);
await hospital("Care Hospital", "Arundelpet", "Guntur", 16.3);
await refreshSearchWords(db);

const doctors = async (text: string) => (await listDoctors(ctx(null, NOW), { near, limit: 50, text })).doctors.map((d) => d.name);
const hospitals = async (text: string) => (await listHospitals(ctx(null, NOW), { near, limit: 50, text })).hospitals.map((h) => h.name);

it.each([
  ["శ్రీనివాస్", ["Dr. K. Srinivas", "Dr. Sreenivasa Rao"]],
  ["श्रीनिवास", ["Dr. K. Srinivas", "Dr. Sreenivasa Rao"]],
  ["శ్రీనివాస రావు", ["Dr. Sreenivasa Rao"]],
  ["శ్రీని", ["Dr. K. Srinivas", "Dr. Sreenivasa Rao"]],
  ["డా. శ్రీనివాస్ గారు", ["Dr. K. Srinivas", "Dr. Sreenivasa Rao"]],
  ["వెంకటేశ్వరరావుగారు", ["Dr. Venkateswara Rao"]],
  ["డాక్టర్ లక్ష్మి గారి దగ్గర", ["Dr. Lakshmi Reddy", "Dr. Laxmi Devi"]],
  ["श्रीनिवास गारु", ["Dr. K. Srinivas", "Dr. Sreenivasa Rao"]],
  ["डॉ. अहमद जी", ["Dr. Ahmed Khan"]],
  ["Srinivas garu", ["Dr. K. Srinivas"]],
  ["Dr Ahmed ji", ["Dr. Ahmed Khan"]],
  ["వెంకటేశ్వరరావు", ["Dr. Venkateswara Rao"]],
  ["వెంకటేశ్వర రావు", ["Dr. Venkateswara Rao"]],
  ["వెంకటేశ్వర Rao", ["Dr. Venkateswara Rao"]],
  ["లక్ష్మి", ["Dr. Lakshmi Reddy", "Dr. Laxmi Devi"]],
  ["लक्ष्मी", ["Dr. Lakshmi Reddy", "Dr. Laxmi Devi"]],
  ["अहमद ख़ान", ["Dr. Ahmed Khan"]],
  ["సరోజిని", ["డా. సరోజిని"]],
  ["గుండె డాక్టర్", ["Dr. K. Srinivas"]],
  ["హృదయ", ["Dr. K. Srinivas"]],
  ["दिल के डॉक्टर", ["Dr. K. Srinivas"]],
  ["పిల్లల వైద్యుడు", ["Dr. Venkateswara Rao"]],
  ["త్వచ", []],
  ["त्वचा रोग विशेषज्ञ", ["Dr. Lakshmi Reddy"]],
  ["దంత వైద్యులు విజయవాడలో", ["Dr. Sreenivasa Rao"]],
  ["కార్డియాలజిస్ట్", ["Dr. K. Srinivas"]],
])("doctors: %s", async (text, found) => expect(await doctors(text)).toEqual(found));
it.each([
  ["అపోలో", ["Apollo Clinic"]],
  ["अपोलो", ["Apollo Clinic"]],
  ["అపోలో విజయవాడలో", ["Apollo Clinic"]],
  ["కేర్ ఆసుపత్రి", ["Care Hospital"]],
  ["गुंटूर", ["Care Hospital"]],
])("hospitals: %s", async (text, found) => expect(await hospitals(text)).toEqual(found));
it.each([
  ["విజయవాడ", "Vijayawada, Andhra Pradesh"],
  ["విజయవాడలో", "Vijayawada, Andhra Pradesh"],
  ["विजयवाड़ा", "Vijayawada, Andhra Pradesh"],
  ["గుంటూరు", "Guntur, Andhra Pradesh"],
  ["गुंटूर", "Guntur, Andhra Pradesh"],
  ["हैदराबाद", "Hyderabad, Telangana"],
  ["హైదరాబాదు", "Hyderabad, Telangana"],
  ["హైదరా", "Hyderabad, Telangana"],
  ["విశాఖపట్నం", "Visakhapatnam, Andhra Pradesh"],
  ["వైజాగ్", "Visakhapatnam, Andhra Pradesh"],
  ["బెజవాడ", "Vijayawada, Andhra Pradesh"],
  ["తిరుపతి", "Tirupati, Andhra Pradesh"],
  ["నెల్లూరు", "Nellore, Andhra Pradesh"],
  ["కర్నూలు", "Kurnool, Andhra Pradesh"],
  ["రాజమండ్రి", "Rajamahendravaram, East Godavari, Andhra Pradesh"],
  ["అనంతపురం", "Anantapur, Andhra Pradesh"],
  ["ఏలూరు", "Eluru, Andhra Pradesh"],
  ["ఒంగోలు", "Ongole, Andhra Pradesh"],
  ["వరంగల్", "Warangal, Telangana"],
  ["సికింద్రాబాద్", "Secunderabad, Telangana"],
  ["బెంగళూరు", "Bengaluru, Karnataka"],
  ["बैंगलोर", "Bengaluru, Karnataka"],
  ["చెన్నై", "Chennai, Tamil Nadu"],
  ["मुंबई", "Mumbai, Maharashtra"],
  ["लखनऊ", "Lucknow, Uttar Pradesh"],
  ["पटना", "Patna, Bihar"],
  ["जयपुर", "Jaipur, Rajasthan"],
  ["नई दिल्ली", "New Delhi, Delhi"],
  ["दिल्ली", "Delhi"],
  ["वाराणसी", "Varanasi, Uttar Pradesh"],
  ["बनारस", "Varanasi, Uttar Pradesh"],
])("cities: %s", async (typed, name) => expect((await searchCities({ db }, typed))[0]?.displayName).toBe(name));
it("finds no city for letters that match none", async () => {
  for (const text of ["్", "अ", "క్షఝ్ఞఘఙ", "ॐ"]) expect(await searchCities({ db }, text)).toEqual([]);
});
it("SOS: finds a city, an area and a PIN code in the user's script", async () => {
  const at = async (typed: string) => Math.round(((await typedPlace({ db }, typed))?.latitude ?? 0) * 10) / 10;
  expect(await at("గుంటూరు")).toBe(16.3);
  expect(await at("గుంటూరులో")).toBe(16.3);
  expect(await at("हैदराबाद")).toBe(17.4);
  expect(await at("లబ్బీపేట, విజయవాడ")).toBe(16.5);
  await sql`update hospitals set pin_code = '522002' where name = 'Care Hospital'`;
  expect(await at("౫౨౨౦౦౨")).toBe(16.3);
});
it.each("బాబోయ్ సహాయం చేయండి రాజు ఇల్లు తికమక ఝంఝం పిచ్చి गड़बड़ मदद जल्दी मेरा दर्द अस्पताल".split(" "))(
  "SOS: finds no place for %s, although it sounds like a distant one",
  async (typed) => expect(await typedPlace({ db }, typed)).toBeNull(),
);
it("SOS: prefers, among areas of one name, the city with most of them", async () => {
  await hospital("One", "Kranthi Colony", "Guntur", 16.3);
  for (const name of ["Two", "Three"]) await hospital(name, "Kranthi Colony", "Tirupati", 13.6);
  for (const typed of ["Kranthi Colony", "క్రాంతి కాలనీ"]) expect([typed, (await typedPlace({ db }, typed))?.latitude]).toEqual([typed, 13.6]);
});
it("searches Latin text as typed", async () => {
  expect(await wantedIn(db, "srinivas rao")).toEqual([["srinivas"], ["rao"]]);
});
it("the database and the program compute the same sound", async () => {
  const words = (
    await sql<{ name: string; sound: string }[]>`select distinct search_name as name, search_sound(search_name) as sound from cities`
  ).map((row) => ({ ...row }));
  expect(words.length).toBeGreaterThan(1000);
  expect(words.filter(({ name, sound }) => soundKey(name) !== sound)).toEqual([]);
  const odd = [
    "Rao",
    "raw",
    "xerox",
    "chowdary",
    "Ccick",
    "city",
    "gita",
    "why",
    "hh",
    "aw",
    "ou",
    "o'Brien",
    "Zakir",
    "జ",
    "",
    "cch",
    "au au",
  ];
  for (const word of odd) expect([word, (await sql`select search_sound(${word}) as sound`)[0]?.sound]).toEqual([word, soundKey(word)]);
});
it("uses an index for the sound of a name", async () => {
  const plan = await sql.begin(async (tx) => {
    await tx`set local enable_seqscan = off`;
    return tx`explain select word from search_words where search_sound(word) ~>=~ 'srn' and search_sound(word) ~<~ 'srn~' or search_sound(word) = any(string_to_array('srn', '|'))`;
  });
  expect(JSON.stringify(plan)).toContain("search_words_sound");
});
