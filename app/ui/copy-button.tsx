import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { useHydrated } from "./use-hydrated.ts";

/** Copies `text` and then shows `done`. Renders nothing without JavaScript, or where the browser refuses copying. */
export function CopyButton({ text, done, children }: { text: string; done: string; children: ReactNode }) {
  const hydrated = useHydrated();
  const [copied, setCopied] = useState(false);
  // Without TLS browsers have no clipboard.
  if (!hydrated || !navigator.clipboard) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <p className="row flex-wrap mt-2">
      <Button variant="quiet" size="sm" className="pl-0" onClick={copy}>
        {children}
      </Button>
      <span className="text-sm text-ink-soft" role="status">
        {copied && done}
      </span>
    </p>
  );
}
