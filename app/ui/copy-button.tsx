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
    <p className="row wrap mt">
      <Button variant="quiet" size="sm" className="flush" onClick={copy}>
        {children}
      </Button>
      <span className="small soft" role="status">
        {copied && done}
      </span>
    </p>
  );
}
