/**
 * Escapes one cell. An apostrophe before text that a spreadsheet would run as a formula prevents CSV injection. A negative number is not one. Text that
 * begins with an apostrophe gets one too, so a program gets the exact value back by removing one apostrophe at the start (docs/csv.md).
 */
function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  if (/^-\d+(\.\d+)?$/.test(value)) return value;
  const safe = /^\s*[=+\-@＝＋－＠\t\r]|^'/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a CSV file (RFC 4180). The byte order mark makes Excel read it as UTF-8. */
export function csvFile(head: string[], rows: (string | number)[][]): string {
  return `\uFEFF${[head, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("")}`;
}
