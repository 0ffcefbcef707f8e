/** Addresses of files, and of pages without React: a browser opens them as a document, because the router knows no page there. */
const OWN_DOCUMENT =
  /\.(csv|ics|vcf|json|xml|txt|webmanifest)$|^\/(files|photos|cards|calendar|embed|q|tv|rx|s)\/|^\/h\/[^/]+\/poster$|\/(appointments|visits)\/[^/]+\/documents\/[^/]+$|\/patients\/[^/]+\/records\/[^/]+$|\/data\/download$|\/export\/[^/]+\/file$/;

/** Returns true for an address without a page of React Router, with or without query and fragment. app/routes.test.ts compares it with the routes. */
export const isOwnDocument = (address: string): boolean => OWN_DOCUMENT.test(address.replace(/[?#].*/, ""));
