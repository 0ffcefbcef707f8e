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

// Registered last. If the browser refuses, only the offline page is missing.
const registerServiceWorker = () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined);
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  if (document.readyState === "complete") registerServiceWorker();
  else addEventListener("load", registerServiceWorker);
}
