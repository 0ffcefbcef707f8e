/**
 * Forms of verbs for the phrases of red flags. Telugu joins tense, person and "I feel like" to the verb, often in one word
 * ("చనిపోవాలనుకుంటున్నాను"), so a list of whole words misses most of them: a stem is joined here with the beginnings of its endings.
 * Latin letters are compared by sound (`soundOf`), so a doubled letter needs no form of its own.
 */

const each = (list: string): string[] => list.trim().split(/\s+/);
const join = (stems: string, endings: string): string =>
  each(stems)
    .flatMap((stem) => each(endings).map((ending) => stem + ending))
    .join("|");

/** Endings of a stem in "పో" or "కో": must, want to, will, am doing, about to, let us, let me. */
const TELUGU = {
  own: "వాల* తాను తా తాం తాము తున్న* తుంద* తాడ* తోంద* దామ* దాం* బోతు* బోతా* నివ్వ* నీ నీయ* వాలె*",
  latin: "vala* wala* vali* wali* valni* walni* vale* wale* ta* tha* tun* thun* ton* thon* dam* dham* bot* both* niv* niy*",
};
/** The same for a stem in "కో" in the future and the present, where it becomes "కుం". */
const TELUGU_SELF = {
  own: "వాల* దామ* దాం* బోతు* బోతా* నివ్వ* వాలె*",
  present: "ంటాను ంటా ంటాం ంటున్న*",
  latin: "vala* wala* vali* wali* vale* wale* dam* dham* bot* both* niv*",
  latinPresent: "ntan* nta nthan* ntha ntun* nthun*",
};

/** Returns the forms of verbs such as "చనిపో". `latin`: their stems as typed in Latin letters. */
export const teluguForms = (own: string, latin: string): string => `${join(own, TELUGU.own)}|${join(latin, TELUGU.latin)}`;

/** Returns the forms of reflexive verbs such as "చేసుకో". The stems are given without "ో" or "o". */
export const teluguSelfForms = (own: string, latin: string): string =>
  [
    join(
      own,
      each(TELUGU_SELF.own)
        .map((ending) => `ో${ending}`)
        .join(" "),
    ),
    join(
      own,
      each(TELUGU_SELF.present)
        .map((ending) => `ు${ending}`)
        .join(" "),
    ),
    join(
      latin,
      each(TELUGU_SELF.latin)
        .map((ending) => `o${ending}`)
        .join(" "),
    ),
    join(
      latin,
      each(TELUGU_SELF.latinPresent)
        .map((ending) => `u${ending}`)
        .join(" "),
    ),
  ].join("|");

/** Returns the forms of a negated verb in one word: "ఆడట్లేదు", "ఆడడంలేదు", "aadatledu". */
export const teluguNotForms = (own: string, latin: string): string =>
  `${join(own, "ట్లేద* ట్లే టంలేద* డంలేద* తలేద* లేదు లేడు లేక*")}|${join(latin, "tled* tle tamled* damled* taled* led* lek*")}`;

/** Returns the forms of a Hindi verb with "जाना": "मर जाऊं", "मर जाऊंगा", "mar jaunga". */
export const hindiGoForms = (own: string, latin: string): string =>
  `${join(own, "_जाऊ* _जाउ* _जाना _जाने _जावां _ही_जाऊ*")}|${join(latin, "_jau* _jaun* _jaoo* _jana _jane _jawa* _hi_jau*")}`;

/** Returns the future and "may" of a Hindi verb in the first person: "मरूंगा", "मरूं", "marungi". */
export const hindiWillForms = (own: string, latin: string): string => `${join(own, "ूं* ुंगा ुंगी ेंगे")}|${join(latin, "unga ungi un enge")}`;

/** The ways to write "want to" and "feel like" after a Hindi infinitive. */
export const HINDI_WANT =
  "चाह*|मन|इच्छा|है|सोच*|दिल|जी_करता|जी_कर|chah*|chaah*|cahta|chata|chati|hai|he|man|mann|dil|ichha|iccha|ichcha|soch*|sonch*";
export const HINDI_NOT = "नहीं|नही|ना|न|मत|nahi|nahin|nhi|nai|nahee|na|mat";
