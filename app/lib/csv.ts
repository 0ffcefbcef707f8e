/** Comma-separated values that spreadsheets read as they are meant. */

/** Text that a spreadsheet would run as a formula is made plain by an apostrophe; numbers stay numbers. */
function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const safe = /^[\s]*[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A whole file: UTF-8 with a byte order mark, because Excel takes it for another encoding without; lines end as RFC 4180 wants. */
export function csvFile(head: string[], rows: (string | number)[][]): string {
  return `\uFEFF${[head, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("")}`;
}
