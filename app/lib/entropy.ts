/** Bits below which a key is not taken for a random one. 32 random hexadecimal digits have about 118. */
const ENOUGH = 96;
const RUN = 8;

/**
 * True for a key that looks random: its characters vary, it does not repeat a shorter text, and it has no long run like "01234567". The
 * entropy is that of the characters' frequencies, the most that a text without structure could have.
 */
export function isRandom(key: string): boolean {
  const counts = new Map<string, number>();
  for (const char of key) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / key.length);
  return bits >= ENOUGH && !repeats(key) && longestRun(key) < RUN;
}

const repeats = (text: string) => `${text}${text}`.indexOf(text, 1) < text.length;

/** Returns the length of the longest run of characters whose codes rise or fall by one. */
function longestRun(text: string): number {
  let longest = 1;
  for (const step of [1, -1]) {
    let run = 1;
    for (let i = 1; i < text.length; i++) {
      run = text.charCodeAt(i) - text.charCodeAt(i - 1) === step ? run + 1 : 1;
      longest = Math.max(longest, run);
    }
  }
  return longest;
}
