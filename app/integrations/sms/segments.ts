/** Counts the SMS segments of a text (3GPP TS 23.038): 160 characters of GSM-7 or 70 of UCS-2, fewer in each of several. */

const GSM7 = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** Escaped characters: two septets each. */
const GSM7_EXTENDED = new Set("^{}\\[~]|€\f");

export type SmsSize = { encoding: "GSM-7" | "UCS-2" /** Septets, or units of UTF-16. */; length: number; segments: number };

/** One character outside GSM-7 makes the whole message UCS-2. */
export function smsSize(text: string): SmsSize {
  const characters = [...text];
  const plain = characters.every((character) => GSM7.has(character) || GSM7_EXTENDED.has(character));
  const length = plain ? characters.reduce((sum, character) => sum + (GSM7_EXTENDED.has(character) ? 2 : 1), 0) : text.length;
  const [one, each] = plain ? [160, 153] : [70, 67];
  return { encoding: plain ? "GSM-7" : "UCS-2", length, segments: length <= one ? 1 : Math.ceil(length / each) };
}
