/**
 * Returns the URL that opens WhatsApp with a text to send. The browser encodes the letters of Telugu and Hindi when it is opened: written out
 * here each takes nine bytes.
 */
export const whatsAppShare = (text: string): string =>
  `https://wa.me/?text=${text.replace(/[\p{ASCII}]+/gu, (ascii) => encodeURIComponent(ascii))}`;
