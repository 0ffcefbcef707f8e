/**
 * Returns a number for a `tel:` link, or null: an Indian mobile or landline as +91 and ten digits, a toll-free number, or a short
 * emergency number. Anything else that a map or a model returns as a phone number is null.
 */
export function dialable(text: unknown): string | null {
  if (typeof text !== "string" || text.length > 60) return null;
  // Maps may list several numbers in one field.
  const [first = ""] = text.split(/[;,/|]/);
  if (!/^[\s+().\-\d]+$/.test(first)) return null;
  const digits = first.replace(/\D/g, "");
  if (/^(?:100|101|102|104|108|112)$/.test(digits)) return digits;
  if (/^(?:1800|1860)\d{6,7}$/.test(digits)) return digits;
  const national = /^(?:\+?91|0091|0)?([1-9]\d{9})$/.exec(first.replace(/[^\d+]/g, ""))?.[1];
  return national ? `+91${national}` : null;
}

/** Formats a number for display: "+91 98765 43210", "1800 123 4567". */
export function readableNumber(phone: string): string {
  return phone.replace(/^(\+91)(\d{5})(\d{5})$/, "$1 $2 $3").replace(/^(18[06]0)(\d{3})(\d+)$/, "$1 $2 $3");
}
