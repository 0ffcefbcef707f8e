/** How many text messages a text costs (3GPP TS 23.038): 160 letters of GSM-7 or 70 of UCS-2, fewer in each of several. */

const GSM7 = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** Behind an escape: two places each. */
const GSM7_EXTENDED = new Set("^{}\\[~]|€\f");

type SmsSize = { encoding: "GSM-7" | "UCS-2" /** Septets, or units of UTF-16. */; length: number; segments: number };

/** One letter outside GSM-7 makes the whole message UCS-2. */
export function smsSize(text: string): SmsSize {
  const letters = [...text];
  const plain = letters.every((letter) => GSM7.has(letter) || GSM7_EXTENDED.has(letter));
  const length = plain ? letters.reduce((sum, letter) => sum + (GSM7_EXTENDED.has(letter) ? 2 : 1), 0) : text.length;
  const [one, each] = plain ? [160, 153] : [70, 67];
  return { encoding: plain ? "GSM-7" : "UCS-2", length, segments: length <= one ? 1 : Math.ceil(length / each) };
}
