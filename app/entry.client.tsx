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

// After everything that somebody waits for. Where it is refused, nothing is missing but the page without a network.
const keepOfflinePage = () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined);
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  if (document.readyState === "complete") keepOfflinePage();
  else addEventListener("load", keepOfflinePage);
}
