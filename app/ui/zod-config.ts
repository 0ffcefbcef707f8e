import { config } from "zod/v4/core";

// zod compiles schemas with `new Function`, which our CSP refuses in the browser. Imported first by the root, before any schema exists.
if (typeof document !== "undefined") config({ jitless: true });
