/** The pages of the test gateway: they work without scripts. */
const escaped = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
const hidden = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join("");
const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>body{font:16px/1.5 sans-serif;max-width:26rem;margin:2rem auto;padding:0 1rem}button,a{display:block;width:100%;min-height:48px;margin:.75rem 0;font:inherit}</style><h1>${title}</h1>${body}</html>`;

/** The page on which the patient pays, with a button for each outcome. */
export function checkoutPage(fields: Record<string, string>, amount: number, cancelUrl: string): string {
  const choices = [
    ["pay", "Pay"],
    ["slow", "Pay, the bank is slow"],
    ["lost", "Pay, then lose the network"],
    ["fail", "The bank refuses"],
  ].map(([value, text]) => `<button name="outcome" value="${value}">${text}</button>`);
  return page(
    "Test payment",
    `<p>${(amount / 100).toFixed(2)} rupees. No money moves.</p><form method="post" action="/v1/checkout/submit">${hidden(fields)}${choices.join("")}</form><a href="${escaped(cancelUrl)}">Cancel</a>`,
  );
}

/** The page that sends the patient back with the result. */
export const returnPage = (callback: string, result: Record<string, string>, title: string): string =>
  page(title, `<form method="post" action="${escaped(callback)}">${hidden(result)}<button>Back to Nadi</button></form>`);
