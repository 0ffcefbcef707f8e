/**
 * Returns the URL that opens WhatsApp with a text. Characters of Telugu and Hindi are not encoded: the browser does that, and an encoded one
 * takes nine bytes of the page.
 */
export const whatsAppShare = (text: string): string =>
  `https://wa.me/?text=${text.replace(/[\p{ASCII}]+/gu, (ascii) => encodeURIComponent(ascii))}`;
