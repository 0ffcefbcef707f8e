/**
 * Parses a Range header with one range, both ends included (RFC 9110 §14). Null: send the whole file, also for several ranges
 * or an invalid header.
 */
export function byteRange(header: string | null, size: number): { from: number; to: number } | "unsatisfiable" | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "");
  if (!match || (!match[1] && !match[2])) return null;
  const from = match[1] ? Number(match[1]) : Math.max(0, size - Number(match[2]));
  const to = match[1] && match[2] ? Math.min(Number(match[2]), size - 1) : size - 1;
  if (match[1] && match[2] && Number(match[2]) < from) return null;
  return from < size && to >= from ? { from, to } : "unsatisfiable";
}
