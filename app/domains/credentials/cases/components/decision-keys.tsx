import { useEffect, useState } from "react";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";

const OFF = "nadi.decision-keys.off";
const KEYS = ["m", "a", "n"] as const;
type Key = (typeof KEYS)[number];
const isKey = (text: string): text is Key => (KEYS as readonly string[]).includes(text);

/**
 * Keyboard shortcuts M, A and N, with a line that explains them and turns them off (WCAG 2.1.4). Ignored while the user types or
 * presses a modifier key.
 */
export function DecisionKeys({ act }: { act: (key: Key) => void }) {
  const hydrated = useHydrated();
  const [off, setOff] = useState(false);
  useEffect(() => setOff(localStorage.getItem(OFF) !== null), []);
  useEffect(() => {
    if (off) return;
    const press = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      const typing = (event.target as Element).closest('textarea, select, input:not([type="radio"]), [contenteditable]');
      if (!isKey(key) || typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      event.preventDefault();
      act(key);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [off, act]);
  const turn = () => {
    if (off) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
    setOff(!off);
  };
  return (
    // Keeps its height while the page loads its scripts: a document below that moves under the finger is not chosen.
    <p className={classes("row flex-wrap text-sm text-ink-soft mt-2 noscript:hidden", !hydrated && "invisible")}>
      {off ? m.cases_keys_off() : m.cases_keys()}
      <Button variant="quiet" size="sm" className="pl-0" onClick={turn}>
        {off ? m.cases_keys_turn_on() : m.cases_keys_turn_off()}
      </Button>
    </p>
  );
}
