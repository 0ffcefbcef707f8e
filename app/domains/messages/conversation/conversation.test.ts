import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REPLIES, type ReplyName } from "#app/integrations/sms/reply-templates.ts";
import { smsSize } from "#app/integrations/sms/segments.ts";
import { graphemesOf } from "#app/lib/graphemes.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { LANGUAGES, type Language } from "#app/lib/language.ts";
import { play, SCRIPTS, type Told } from "../../../../tests/setup/conversations.ts";
import { STEPS } from "./conversation.state.ts";
import type { Say } from "./conversation.ts";
import { mayBeName, readPerson, readWord } from "./incoming-words.ts";
import { namesIllness } from "./names-illness.ts";
import { render } from "./render.ts";

const GOLDEN = join(import.meta.dirname, "../../../../tests/golden/messages");
const HOST = "nadi.example";
const CHANNELS = { sms: { times: 3, doctors: 3 }, whatsapp: { times: 2, doctors: 9 }, call: { times: 3, doctors: 3 } } as const;
type Way = keyof typeof CHANNELS;

const told = (way: Way, language: Language) =>
  Object.entries(SCRIPTS).map(([title, script]) => [title, play(script, { language, room: CHANNELS[way], call: way === "call" })] as const);

/** Writes a conversation as the phone shows it. A message is one line, " / " stands for its line breaks. */
function written(way: Way, { turns }: Told, fallback: Language): string {
  const lines = turns.flatMap(({ wrote, said, language }) => [
    ...(wrote === null ? [] : [`> ${wrote || "(button)"}`]),
    ...said.map((one) => {
      const { body, choices } = withLanguage(language ?? fallback, () => render(one, way === "whatsapp" ? "whatsapp" : "sms", HOST));
      return `${[body.replaceAll("\n", " / "), ...choices.map(({ label }) => `[${label}]`)].join(" ")}`;
    }),
  ]);
  return lines.join("\n");
}
const titled = (way: Way, language: Language) =>
  told(way, language)
    .map(([title, one]) => `# ${title}\n${written(way, one, language)}\n`)
    .join("\n");

describe("sixty conversations", () => {
  it("are sixty", () => expect(Object.keys(SCRIPTS).length).toBeGreaterThanOrEqual(60));
  for (const language of LANGUAGES) {
    for (const way of ["sms", "whatsapp"] as const)
      it(`read as before: ${way} in ${language}`, () => {
        const path = join(GOLDEN, `${way}.${language}.txt`);
        if (process.env.UPDATE_GOLDEN) writeFileSync(path, titled(way, language));
        expect(titled(way, language)).toBe(readFileSync(path, "utf8"));
      });
    it(`go on after a missed call as by SMS, in ${language}`, () => {
      for (const [title, one] of told("call", language)) {
        const [missed, ...others] = one.turns;
        expect(missed?.said, title).toEqual([{ say: "menu" }]);
        expect(others, title).toEqual(play(SCRIPTS[title]!, { language, room: CHANNELS.sms }).turns);
      }
    });
  }
});

describe("each text", () => {
  const all = LANGUAGES.flatMap((language) =>
    (["sms", "whatsapp"] as const).flatMap((way) =>
      told(way, language).flatMap(([, { turns }]) => turns.flatMap(({ said }) => said.map((one) => ({ language, way, one })))),
    ),
  );
  it("is used by a conversation", () => {
    const used = new Set(all.map(({ one }) => one.say));
    const others = (Object.keys(REPLIES) as ReplyName[]).filter((name) => !used.has(name)).toSorted();
    expect(others).toEqual([
      "call-clinic",
      "danger",
      "desk-again",
      "desk-call",
      "desk-yes",
      "flood",
      "gone",
      "no-number",
      "not-booked",
      "nothing-booked",
      "offer-ended",
      "token-first",
      "token-waiting",
      "too-late",
    ]);
  });
  const LONG = {
    en: "Dr. Venkata Satyanarayana Subrahmanyam Chintalapati",
    te: "డాక్టర్ వెంకట సత్యనారాయణ సుబ్రహ్మణ్యం చింతలపాటి",
    hi: "डॉक्टर वेंकट सत्यनारायण सुब्रह्मण्यम चिंतलपाटी",
  };
  const withNames = (one: Say, long: string): Say => ({
    ...one,
    ...(one.name && { name: long }),
    ...(one.text && { text: long }),
    ...(one.doctor && { doctor: { ...one.doctor, name: long, place: long } }),
    ...(one.options && {
      options: one.options.map((option) => ("doctor" in option ? { doctor: { ...option.doctor, name: long, place: long } } : option)),
    }),
  });
  it("has two segments at most with the longest names, also in another script, and names the doctor still", () => {
    // Many differ by their names only.
    const different = new Map(all.map((each) => [JSON.stringify([each.language, withNames(each.one, "")]), each]));
    for (const { language, one } of different.values()) {
      const bodyWith = (long: string) => withLanguage(language, () => render(withNames(one, long), "sms", HOST)).body;
      for (const body of Object.values(LONG).map(bodyWith)) expect(smsSize(body).segments, body).toBeLessThanOrEqual(2);
      const named = REPLIES[one.say][language].text.includes("{doctor}") || one.options?.some((option) => "doctor" in option);
      if (named) expect(bodyWith(LONG[language])).toContain(LONG[language].split(" ").slice(0, 2).join(" ").slice(0, -2));
    }
  });
  it("cuts the place before the name of the doctor", () => {
    const [{ one }] = all.filter(
      ({ one, way, language }) => one.say === "times" && way === "sms" && language === "te" && one.options?.length === 4,
    ) as [(typeof all)[number]];
    const doctor = { ...one.doctor!, name: "డా. అంజలి వేమూరి", place: "కృష్ణా హార్ట్ సెంటర్", fee: 50_000 };
    const { body } = withLanguage("te", () => render({ ...one, doctor }, "sms", HOST));
    expect(body.split("\n")[0]).toBe("డా. అంజలి వేమూరి, కృష్ణా... Rs 500.");
  });
  it("has no two variables side by side, and variables of at most 30 characters", () => {
    for (const texts of Object.values(REPLIES)) for (const { text } of Object.values(texts)) expect(text).not.toMatch(/\}\s*\{/);
    for (const { language, one } of all) {
      const { variables } = withLanguage(language, () => render(one, "sms", HOST));
      for (const value of Object.values(variables)) expect(graphemesOf(value).length, value).toBeLessThanOrEqual(30);
    }
  });
  it("names no illness", () => {
    const named = Object.entries(REPLIES).flatMap(([name, texts]) =>
      Object.values(texts).flatMap(({ text }) => (namesIllness(text) ? [name] : [])),
    );
    // An example of what a doctor is for, and the emergency.
    expect([...new Set(named)].filter((name) => name !== "ask-doctor" && !name.startsWith("danger"))).toEqual([]);
  });
  it("has buttons and rows as WhatsApp allows them", () => {
    for (const { language, one } of all) {
      const { choices, as } = withLanguage(language, () => render(one, "whatsapp", HOST));
      expect(choices.length).toBeLessThanOrEqual(as === "list" ? 10 : 3);
      for (const { label } of choices) expect(label.length, label).toBeLessThanOrEqual(as === "list" ? 24 : 20);
      expect(new Set(choices.map(({ label }) => label)).size).toBe(choices.length);
    }
  });
});

it("offers to cancel or move only while that is allowed, and names the clinic's phone afterwards", () => {
  const offered = (script: string) => play(script, { language: "en", room: CHANNELS.sms }).turns[0]?.said[0]?.options?.length;
  expect([offered("@remind"), offered("@remind late")]).toEqual([3, 1]);
  for (const answer of ["2", "3"]) {
    const { turns } = play(`@remind late | ${answer}`, { language: "en", room: CHANNELS.sms });
    expect(turns[1]?.said).toEqual([{ say: "too-late-call", phone: "0866 400 0191" }]);
  }
});

describe("an illness where a name is asked", () => {
  const asked = (answer: string) => play(`RAO | 1 | ${answer}`, { language: "en", room: CHANNELS.sms });
  it.each(["Diabetes checkup Ravi 45 M", "Fever 34", "జ్వరం 34 F", "Ravi chest pain 45 M"])(
    "is not booked, stored or repeated: %s",
    (answer) => {
      const { turns, state, commands } = asked(answer);
      expect(commands.some((command) => command.do === "book")).toBe(false);
      expect(JSON.stringify([turns.at(-1)!.said, state])).not.toMatch(/diabetes|fever|checkup|chest|జ్వరం/i);
      expect(state.questions[0]?.step).toBe("name");
    },
  );
  it.each(["Baby of Lakshmi 1 F", "Pilla Ramesh 40 M", "Lakshmi Devi 34 F"])("is none: %s", (answer) => {
    expect(asked(answer).commands.at(-1)).toMatchObject({ do: "book" });
  });
});

it("promises no message after STOP", () => {
  for (const language of LANGUAGES) {
    const { turns } = play(SCRIPTS["books and moves after stopping"]!, { language, room: CHANNELS.sms });
    const names = turns.flatMap(({ said }) => said.map((one) => one.say));
    expect(names).toEqual(["stopped", "times", "ask-name", "booked-stopped", "next", "move-times", "moved-stopped"]);
  }
});

it("books in at most six messages with a keyword, and in at most six of the user without", () => {
  const count = (title: string) => {
    const { turns } = play(SCRIPTS[title]!, { language: "en", room: CHANNELS.sms });
    return { sent: turns.length, all: turns.length + turns.flatMap(({ said }) => said).length };
  };
  expect(count("books with a keyword in six messages").all).toBe(6);
  expect(count("chooses a language once").sent).toBe(6);
});

it("books in six messages of the user or fewer, in the median of the conversations that book", () => {
  for (const way of ["sms", "whatsapp", "call"] as const)
    for (const language of LANGUAGES) {
      const counts = told(way, language).flatMap(([, { turns }]) => {
        const last = turns.findIndex(({ said }) => said.some(({ say }) => say.startsWith("booked")));
        return last < 0 ? [] : [turns.slice(0, last + 1).filter(({ wrote }) => wrote !== null).length];
      });
      expect(counts.length).toBeGreaterThan(20);
      expect(counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)], `${way} ${language}`).toBeLessThanOrEqual(6);
    }
});

it("takes every transition of the state table", () => {
  const taken = new Set<string>();
  for (const script of Object.values(SCRIPTS)) {
    const { state } = play(script, { language: "en", room: CHANNELS.sms });
    for (const { step } of state.questions) taken.add(step);
  }
  expect(STEPS.filter((step) => step !== "idle" && !taken.has(step))).toEqual([]);
});

describe("what people write", () => {
  it.each([
    ["Lakshmi Devi 34 F", "Lakshmi Devi", 34, "female"],
    ["M Lakshmi, 34, female", "M Lakshmi", 34, "female"],
    ["ravi m kumar 7m", "ravi m kumar", 7, "male"],
    ["లక్ష్మీ దేవి ౩౪ F", "లక్ష్మీ దేవి", 34, "female"],
    ["राव 60 पुरुष", "राव", 60, "male"],
    ["34 F", "", 34, "female"],
    ["📷", "", null, null],
    ["Baby 0 F", "Baby", null, "female"],
    ["Lakshmi", "Lakshmi", null, null],
  ])("reads a patient: %s", (text, name, age, gender) => expect(readPerson(text)).toEqual({ name, age, gender }));
  it.each([
    "Can I bring my mother too",
    "డాక్టర్ గారు ఈరోజు ఉన్నారా",
    "क्या माँ को भी ला सकते हैं",
    "please call me",
    "x".repeat(61),
    "one two three four five six seven eight nine ten",
  ])("takes no question, request or long text for a name: %s", (text) => expect(mayBeName(text)).toBe(false));
  it.each(["Are Srinivas 45 M", "I. Ela Reddy, 30, female", "లక్ష్మీ దేవి 34 F", "Smt. Venkata Satya Sai Lakshmi Devi Prasanna 34 F"])(
    "may be a name: %s",
    (text) => expect(mayBeName(text)).toBe(true),
  );
  it.each([
    ["Hi!", "greet", ""],
    ["నమస్తే రావు", "greet", "రావు"],
    ["book appointment", "greet", ""],
    ["STOP.", "stop", ""],
    ["cancel", "when", ""],
    ["stop by the shop", null, ""],
    ["Please stop sending me messages", "stop", ""],
    ["Lakshmi", null, ""],
  ])("reads a word: %s", (text, word, rest) => expect(readWord(text)).toEqual(word === null ? null : { word, rest }));
});
