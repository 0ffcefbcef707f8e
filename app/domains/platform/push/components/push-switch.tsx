import { useEffect, useState } from "react";
import { useSubmit } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Badge, Note } from "#app/ui/pieces.tsx";
import { type PushState, readPushState, subscribe } from "./browser-push.ts";

/** Turns notifications of this browser on and off: posts `intent=on` with its address, or `intent=off`. */
export function PushSwitch({ serverKey, current, refused }: { serverKey: string; current: string | null; refused: boolean }) {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const submit = useSubmit();
  const added = current !== null;
  const [state, setState] = usePushState(serverKey, added);

  // Before the browser was asked, the page has the same height as afterwards in most browsers.
  const isOff = (state ?? (added ? "on" : "off")) === "off";
  const turnOn = async () => {
    setBusy(true);
    setFailed(false);
    try {
      const address = await subscribe(serverKey);
      if (address) await submit({ intent: "on", ...address }, { method: "post", preventScrollReset: true });
      else if (Notification.permission === "denied") setState("denied");
    } catch {
      setFailed(true);
    }
    setBusy(false);
  };

  return (
    <section className="card mt-7" aria-labelledby="h-here">
      <div className="row flex-wrap">
        <h2 id="h-here" className="grow">
          {m.push_here()}
        </h2>
        {(state ?? (added ? "on" : "off")) === "on" ? (
          <Badge tone="ok" icon="check">
            {m.push_is_on()}
          </Badge>
        ) : (
          <Badge icon="bell">{m.push_is_off()}</Badge>
        )}
      </div>
      <noscript>
        <Note tone="info" icon="info" className="mt-2">
          <p>{m.push_no_scripts()}</p>
        </Note>
      </noscript>
      <div aria-live="polite">
        {isOff && <p className="text-ink-soft mt-2 mb-3 noscript:hidden">{m.push_off_text()}</p>}
        {state === "on" && <p className="text-ink-soft mt-2">{m.push_on_text()}</p>}
        {(state === "denied" || state === "iphone" || state === "unsupported") && <CannotTurnOn why={state} />}
        {(failed || refused) && !busy && (
          <Note tone="bad" icon="circle-alert" className="mb-3">
            <p>{refused ? m.push_refused() : m.push_failed()}</p>
          </Note>
        )}
      </div>
      {isOff && (
        <Button full icon="bell" className="noscript:hidden" onClick={turnOn} disabled={busy || state === undefined}>
          {busy ? m.push_turning_on() : m.push_turn_on()}
        </Button>
      )}
      {current && <TurnOff browser={current} />}
    </section>
  );
}

/** Returns the state of this browser, once it was asked. */
function usePushState(serverKey: string, added: boolean) {
  const [state, setState] = useState<PushState>();
  useEffect(() => {
    let shown = true;
    const set = (found: PushState) => shown && setState(found);
    readPushState(serverKey, added).then(set, () => set("unsupported"));
    return () => {
      shown = false;
    };
  }, [serverKey, added]);
  return [state, setState] as const;
}

const CannotTurnOn = ({ why }: { why: PushState }) => (
  <Note tone="warn" icon="triangle-alert" className="mt-2">
    <p>{why === "denied" ? m.push_denied() : why === "iphone" ? m.push_iphone() : m.push_unsupported()}</p>
  </Note>
);

/** @param of the device, for a list of several */
export function TurnOff({ browser, of }: { browser: string; of?: string }) {
  const [form] = useNadiForm({ id: `off-${browser}` });
  return (
    <Form form={form} className={of ? "" : "mt-2"}>
      <input type="hidden" name="browser" value={browser} />
      <SubmitButton name="intent" value="off" variant="second" size="sm" {...(of && { "aria-label": m.push_turn_off_of({ device: of }) })}>
        {m.push_turn_off()}
      </SubmitButton>
    </Form>
  );
}
