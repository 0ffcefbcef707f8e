/** Other names of medicines of the list of essential medicines: the British, American and older ones, as doctors in India write them. */
export const SYNONYMS: readonly (readonly [name: string, ...others: string[]])[] = [
  ["Acetylsalicylic acid", "Aspirin"],
  ["Adrenaline", "Epinephrine"],
  ["Amoxicillin + clavulanic acid", "Co-amoxiclav", "Amoxiclav"],
  ["Ascorbic acid", "Vitamin C"],
  ["Benzylpenicillin", "Penicillin G"],
  ["Chlorpheniramine", "Chlorphenamine"],
  ["Cholecalciferol", "Vitamin D3"],
  ["Dicyclomine", "Dicycloverine"],
  ["Furosemide", "Frusemide"],
  ["Glibenclamide", "Glyburide"],
  ["Glycerin", "Glycerol"],
  ["Glyceryl trinitrate", "Nitroglycerin"],
  ["Hydroxyurea", "Hydroxycarbamide"],
  ["Hyoscine butylbromide", "Butylscopolamine", "Scopolamine butylbromide"],
  ["Levothyroxine", "Thyroxine"],
  ["Lignocaine", "Lidocaine"],
  ["Mesalazine", "Mesalamine"],
  ["Methylergometrine", "Methylergonovine"],
  ["Noradrenaline", "Norepinephrine"],
  ["Oral rehydration salts", "ORS"],
  ["Paracetamol", "Acetaminophen"],
  ["Phenobarbitone", "Phenobarbital"],
  ["Phenoxymethylpenicillin", "Penicillin V"],
  ["Pyridoxine", "Vitamin B6"],
  ["Riboflavin", "Vitamin B2"],
  ["Rifampicin", "Rifampin"],
  ["Salbutamol", "Albuterol"],
  ["Sodium valproate", "Valproic acid"],
  ["Thiamine", "Vitamin B1"],
  ["Torsemide", "Torasemide"],
  ["Trihexyphenidyl", "Benzhexol"],
  ["Trimethoprim + sulfamethoxazole", "Co-trimoxazole"],
  ["Ursodeoxycholic acid", "Ursodiol"],
  ["Vitamin B12", "Cyanocobalamin"],
];

/** The penicillins of the list of essential medicines. The name "penicillin" alone means each of them. @internal compared by a test */
export const PENICILLINS = [
  "Amoxicillin",
  "Ampicillin",
  "Benzathine benzylpenicillin",
  "Benzylpenicillin",
  "Cloxacillin",
  "Phenoxymethylpenicillin",
  "Piperacillin",
] as const;

/** Spellings of one sound: "amoxycillin", "cephalexin", "sulphate", "oestradiol". Doubled letters and a last "s" or "e" are left out after them. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/ph/g, "f"],
  [/th/g, "t"],
  [/ch/g, "c"],
  [/[ao]e/g, "e"],
  [/y/g, "i"],
  [/(\p{L})\1+/gu, "$1"],
  [/(?<=.{4})s$/, ""],
  [/(?<=.{3})e$/, ""],
];

const spelled = (word: string): string => SPELLINGS.reduce((text, [from, to]) => text.replace(from, to), word);
const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" ").map(spelled));

/** Words beside a name: forms, units and how a medicine is given. They are left out. */
const FORMS = setOf(
  "tablet tab capsule cap syrup injection inj drop cream ointment gel lotion powder inhaler suspension solution spray oral eye ear nasal mg mcg gm ml iu sr xr er cr dt ds and with plus or",
);
/** Parts of many names, alone the name of none: salts, acids. */
const SALTS = setOf(
  "acid acetate besylate bromide butylbromide calcium carbonate chloride citrate dihydrate fumarate gluconate hcl hydrochloride hydrobromide maleate mesylate mononitrate dinitrate trinitrate nitrate oxide peroxide phosphate potassium sodium succinate sulphate tartrate trihydrate vitamin salts",
);
/** Most words of a name that are written apart: "benzyl penicillin", "oral rehydration salts". */
const MOST_WORDS = 4;
const LEAST_LETTERS = 3;

/** Returns the words of a text in lower case and one spelling, without accents, numbers, forms and units. */
const wordsOf = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\p{Cf}'’]/gu, "")
    .toLowerCase()
    .replace(/(vitamin \p{L}) (?=\d{1,2}\b(?! ?(?:mg|mcg|g|ml|iu)\b))/gu, "$1")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map(spelled)
    .filter((word) => word && !/^\d+(mg|mcg|g|gm|ml|iu)?$/.test(word) && !FORMS.has(word));

/** Returns one text for all spellings of a name: "Amoxycillin 500 mg" and "AMOXICILLIN" are one. */
export const nameKey = (text: string): string => wordsOf(text).join("");

/** Returns the medicines that are in a list more than once, with the same name, form and strength, as first written: "Paracetamol 500 mg tablet". */
export function twiceIn(lines: readonly { name: string; strength: string | null; form: string }[]): string[] {
  const seen = new Map<string, { text: string; count: number }>();
  for (const { name, strength, form } of lines) {
    const key = [nameKey(name) || name.toLowerCase(), (strength ?? "").toLowerCase().replace(/\s+/g, ""), form].join(" ");
    const text = [name, strength, form === "other" ? "" : form].filter(Boolean).join(" ");
    seen.set(key, { text: seen.get(key)?.text ?? text, count: (seen.get(key)?.count ?? 0) + 1 });
  }
  return [...seen.values()].flatMap(({ text, count }) => (count > 1 ? [text] : []));
}

const canonical = new Map(SYNONYMS.flatMap(([name, ...others]) => others.map((other) => [nameKey(other), name] as const)));
const penicillins: ReadonlySet<string> = new Set(PENICILLINS.map(nameKey));
const PENICILLIN = nameKey("Penicillin");

/** Returns every name in a text: single words, and words that may be one name written apart. */
function namesIn(text: string): Set<string> {
  const words = wordsOf(text);
  const names = new Set<string>();
  for (let from = 0; from < words.length; from++)
    for (let to = from + 1; to <= Math.min(words.length, from + MOST_WORDS); to++) {
      const name = words.slice(from, to).join("");
      const other = canonical.get(name);
      if (other) for (const one of namesIn(other)) names.add(one);
      if (name.length >= LEAST_LETTERS && !(to === from + 1 && SALTS.has(name))) names.add(name);
    }
  return names;
}

const isPenicillin = (names: ReadonlySet<string>): boolean => [...names].some((name) => name.endsWith(PENICILLIN));
const hasMember = (names: ReadonlySet<string>): boolean => [...names].some((name) => penicillins.has(name) || name.endsWith(PENICILLIN));

/**
 * True when two texts share the name of a medicine: the same in another case, spelling or with other punctuation, a known second name, a part of a
 * combination, or "penicillin" and one of PENICILLINS. Compares names in Latin letters; knows no families but penicillin.
 */
export function sharesName(allergy: string, medicine: string): boolean {
  const [a, b] = [namesIn(allergy), namesIn(medicine)];
  for (const name of a) if (b.has(name)) return true;
  return (isPenicillin(a) && hasMember(b)) || (isPenicillin(b) && hasMember(a));
}
