/** Removes personal identifiers from a text for the model: phone, Aadhaar and account numbers, email addresses. */
export const redact = (text: string): string =>
  text
    .replace(/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g, "[email]")
    // Ten or more digits with any spacing. Dates and times are shorter.
    .replace(/(?<!\d)\+?\d(?:[\s.-]?\d){9,}(?!\d)/g, "[number]")
    .replace(/\b[A-Z]{5}\d{4}[A-Z]\b/g, "[number]");
