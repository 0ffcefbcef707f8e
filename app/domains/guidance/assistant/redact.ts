/** Takes out what names a person before a text leaves for the model: phone, Aadhaar and account numbers, addresses of email. */
export const redact = (text: string): string =>
  text
    .replace(/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g, "[email]")
    // Ten digits and more, however they are spaced; dates and times are shorter.
    .replace(/(?<!\d)\+?\d(?:[\s.-]?\d){9,}(?!\d)/g, "[number]")
    .replace(/\b[A-Z]{5}\d{4}[A-Z]\b/g, "[number]");
