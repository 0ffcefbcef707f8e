import { describe, expect, it } from "vitest";
import { hasIndicLetters, romanisations, romanise, soundDistance, soundKey, withoutEnding } from "./sound.ts";

it.each([
  ["శ్రీనివాస్", "shrinivas"],
  ["వెంకటేశ్వరరావు", "venkateshvararavu"],
  ["విజయవాడ", "vijayavada"],
  ["గుంటూరు", "gunturu"],
  ["గౌతమ్", "gautam"],
  ["కృష్ణ", "krishna"],
  ["జ్ఞానేశ్వర్", "gnaneshvar"],
  ["సంపత్", "sampat"],
  ["విజయం", "vijayam"],
  ["गुंटूर", "guntur"],
  ["हैदराबाद", "haidarabad"],
  ["अपोलो", "apolo"],
  ["राम", "ram"],
  ["ज़ाकिर", "zakir"],
  ["चंडीगढ़", "chandigarh"],
  ["मुंबई", "mumbai"],
  ["न", "na"],
])("%s is %s", (own, latin) => expect(romanise(own)).toBe(latin));
it("leaves Latin text, digits and lone vowel signs unchanged", () => {
  expect(romanise("Dr. రావు, 12")).toBe("Dr. ravu, 12");
  for (const odd of ["్", "ా", "ं", "़", "\u200c", "ఽ", "ॐ"]) expect(() => soundKey(romanise(odd))).not.toThrow();
  expect(hasIndicLetters("Rao ౧२")).toBe(false);
  expect(hasIndicLetters("Dr. రావు")).toBe(true);
});

/** Spellings of one name on signs and visiting cards in India. */
const SAME: [own: string, ...latin: string[]][] = [
  ["శ్రీనివాస్", "srinivas", "shrinivas", "sreenivaas", "sreenivas"],
  ["వెంకటేశ్వరరావు", "venkateswararao", "venkateshwararao"],
  ["రావు", "rao"],
  ["राव", "rao"],
  ["రెడ్డి", "reddy", "reddi"],
  ["లక్ష్మి", "lakshmi", "laxmi"],
  ["నాయుడు", "naidu", "nayudu"],
  ["చౌదరి", "chowdary", "choudhary"],
  ["గీత", "geetha", "gita"],
  ["మూర్తి", "murthy", "moorthi"],
  ["సాయి", "sai"],
  ["शर्मा", "sharma", "sarma"],
  ["अहमद", "ahmed", "ahmad"],
  ["शेख", "shaik", "sheikh"],
  ["विजयवाड़ा", "vijayawada"],
  ["హైదరాబాద్", "hyderabad"],
  ["लखनऊ", "lucknow"],
  ["दिल्ली", "delhi"],
  ["इंदौर", "indore"],
  ["राजमुंदरी", "rajahmundry"],
  ["కరీంనగర్", "karimnagar"],
  ["అపోలో", "apollo"],
  ["ఫోర్టిస్", "fortis"],
  ["కేర్", "care"],
];
describe("the same name", () => {
  it.each(SAME.flatMap(([own, ...all]) => all.map((latin) => [own, latin] as const)))("%s is %s", (own, latin) => {
    const close = romanisations(own).filter((typed) => soundKey(latin).startsWith(soundKey(typed)));
    expect(close.map((typed) => soundDistance(typed, latin)).some((far) => far <= 2)).toBe(true);
  });
});
it.each([
  ["రవి", "rao"],
  ["రాజు", "rajeshwari"],
  ["కమల", "kumil"],
  ["శ్రీనివాస్", "saranavasi"],
  ["మోహన్", "mehta"],
  ["గుంటూరు", "gannavaram"],
])("%s is not %s", (own, latin) => {
  const typed = romanise(own);
  expect(soundKey(latin).startsWith(soundKey(typed)) && soundDistance(typed, latin) <= 1).toBe(false);
});
it("matches a prefix, and one word written as two", () => {
  expect(soundDistance(romanise("శ్రీని"), "srinivas")).toBeLessThan(1);
  expect(soundDistance(romanise("వెంకటేశ్వరరావు"), "venkateswara")).toBeLessThan(1);
});
it("removes place suffixes", () => {
  expect(withoutEnding("విజయవాడలో")).toEqual(["విజయవాడలో", "విజయవాడ"]);
  expect(withoutEnding("అపోలో")).toEqual(["అపోలో"]);
});
