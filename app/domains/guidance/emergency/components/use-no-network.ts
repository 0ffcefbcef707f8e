import { useEffect, useRef, useState } from "react";
import type { NetworkState } from "#app/ui/no-network.tsx";
import { SOS_PATH } from "./sos-run.tsx";

/** Milliseconds without an answer after which the page says so. */
const PATIENCE = 800;
/** Milliseconds between two tries, and of the longest one. */
const PAUSE = 3000;
const LONGEST = 15_000;

/** `slow`: no answer in time, or one of a proxy before a server that is down. */
const askServer = (): Promise<NetworkState | null> =>
  fetch(SOS_PATH, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(LONGEST) }).then(
    ({ status }) => (status < 500 ? null : "slow"),
    (error: unknown) => (error instanceof DOMException && error.name === "TimeoutError" ? "slow" : "none"),
  );

/**
 * `check` asks whether the server can be reached, until it can. `network`: why it has not answered yet; null: it has. `onBack` runs when
 * it answers after that. A browser that is online may still have a network that hangs.
 */
export function useNoNetwork(onBack: () => void) {
  const [network, setNetwork] = useState<NetworkState | null>(null);
  const state = useRef({ checking: false, gone: false, onBack });
  state.current.onBack = onBack;
  useEffect(() => {
    const { current } = state;
    current.gone = false;
    return () => {
      current.gone = true;
    };
  }, []);
  const check = async () => {
    const { current } = state;
    if (current.checking) return;
    current.checking = true;
    let missed = false;
    const miss = (why: NetworkState) => {
      missed = true;
      setNetwork(why);
    };
    while (!current.gone) {
      const late = setTimeout(miss, PATIENCE, "slow");
      const why = await askServer();
      clearTimeout(late);
      if (!why) break;
      miss(why);
      await new Promise((ready) => setTimeout(ready, PAUSE));
    }
    current.checking = false;
    setNetwork(null);
    if (missed && !current.gone) current.onBack();
  };
  return { network, check };
}
