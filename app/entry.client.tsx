import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { language } from "#app/lib/language.ts";
import { overwriteGetLocale } from "#app/paraglide/runtime.js";

// In the build each sentence is in the language of the page already.
if (import.meta.env.DEV) overwriteGetLocale(language);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
