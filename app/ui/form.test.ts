import { createRequire } from "node:module";
import { expect, it } from "vitest";

it("uses the names of Conform's own fields", () => {
  // @conform-to/dom is a package of @conform-to/react, which does not export them.
  const conform = createRequire(createRequire(import.meta.url).resolve("@conform-to/react"))("@conform-to/dom");
  // form.tsx and http/form-names.server.ts contain these names.
  expect([conform.INTENT, conform.STATE]).toEqual(["__intent__", "__state__"]);
});
