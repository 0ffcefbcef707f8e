import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { language } from "#app/lib/language.ts";
import { overwriteGetLocale } from "#app/paraglide/runtime.js";

// The build contains the texts of the page's language already.
if (import.meta.env.DEV) overwriteGetLocale(language);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
