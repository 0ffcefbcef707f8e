import { useEffect, useRef, useState } from "react";
import { useNavigation, useSubmit } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Note } from "#app/ui/pieces.tsx";
import { SEND_AGAIN } from "#app/ui/unsent-form.ts";

type Press = { key: string; data: FormData };
const pressOf = (data: FormData): Press => ({ key: JSON.stringify([...data]), data });
const add = (list: Press[], press: Press) => (list.some(({ key }) => key === press.key) ? list : [...list, press]);

/**
 * Stores presses that did not reach the server, says so, and sends them in their order when the network is back. Each press names what it
 * changes, so one that did arrive changes nothing the second time. `unsent`: the last answer of the page was a network failure.
 */
export function UnsentPresses({ unsent }: { unsent: boolean }) {
  const { state, formData, formMethod } = useNavigation();
  const submit = useSubmit();
  const [waiting, setWaiting] = useState<Press[]>([]);
  const sending = useRef<Press | null>(null);
  useEffect(() => {
    if (!formData || formMethod !== "POST") return;
    const press = pressOf(formData);
    // A press during another one ends its request: that one is sent again.
    const before = sending.current;
    if (before && before.key !== press.key) setWaiting((list) => add(list, before));
    sending.current = press;
  }, [formData, formMethod]);
  useEffect(() => {
    if (state !== "idle" || !sending.current) return;
    const sent = sending.current;
    sending.current = null;
    setWaiting((list) => (unsent ? add(list, sent) : list.filter(({ key }) => key !== sent.key)));
  }, [state, unsent]);
  const [first] = waiting;
  useEffect(() => {
    if (!first || state !== "idle") return;
    // Until it arrives: a request that fails at once may leave nothing that is drawn changed.
    const timer = setInterval(() => void submit(first.data, { method: "post", preventScrollReset: true }), SEND_AGAIN);
    return () => clearInterval(timer);
  }, [first, state, submit]);
  useEffect(() => {
    if (!waiting.length) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [waiting.length]);
  if (!waiting.length) return null;
  return (
    <Note tone="warn" icon="triangle-alert" role="alert" className="mb-3">
      {m.queue_unsent({ count: waiting.length })}
    </Note>
  );
}
