import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { language } from "#app/lib/language.ts";
import { overwriteGetLocale } from "#app/paraglide/runtime.js";

// The language of the page, as the server chose it.
overwriteGetLocale(language);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
