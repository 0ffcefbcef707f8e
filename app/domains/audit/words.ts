/** "reveal-number" is "Reveal number": actions, subjects and details of the log are named by code, and read like this. */
export function readableKey(key: string): string {
  const words = key
    .replace(/Id$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[-_.]/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
