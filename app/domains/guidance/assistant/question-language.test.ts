import { describe, expect, it } from "vitest";
import { languageOfQuestion } from "./question-language.ts";
import { scriptOf } from "./script.ts";

describe("languageOfQuestion", () => {
  it.each([
    ["నాకు జ్వరం వచ్చింది", "te"],
    ["appointment ఎలా cancel చేయాలి?", "te"],
    ["मुझे बुखार है", "hi"],
    ["मेरा appointment कब है", "hi"],
    ["naku jwaram vachindi", "te"],
    ["naaku jvaram undi", "te"],
    ["appointment ela cancel cheyali", "te"],
    ["daggarlo dentist kavali", "te"],
    ["mujhe bukhar hai", "hi"],
    ["appointment kaise cancel karein", "hi"],
    ["mere appointments dikhao", "hi"],
    ["I have a fever", "en"],
    ["How do I cancel an appointment?", "en"],
    ["my appointments", "en"],
    ["I have bukhar", "en"],
  ] as const)("%s: %s", (text, language) => {
    expect(languageOfQuestion(text)).toBe(language);
  });
  it.each(["", "dentist", "Hi", "108", "stomach pain", "appointments", "Dr. Kishore", "xyz"])("does not guess for “%s”", (text) => {
    expect(languageOfQuestion(text)).toBeNull();
  });
});

describe("scriptOf", () => {
  it.each([
    ["మీ అపాయింట్‌మెంట్లు: Dr. Rao", "te"],
    ["आपके अपॉइंटमेंट", "hi"],
    ["A doctor named రావు", null],
    ["Plain English", null],
    ["12:30", null],
  ] as const)("%s: %s", (text, language) => {
    expect(scriptOf(text)).toBe(language);
  });
});
