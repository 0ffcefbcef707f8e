import { UnsentPresses } from "#app/domains/waiting-room/queue/components/unsent-presses.tsx";
import type { FormAnswer } from "#app/http/submit-form.server.ts";
import { ErrorSummary, useNadiForm } from "#app/ui/form.tsx";

/** Why a press of `submitVisitPress` was refused, and presses that did not reach the server (ui/unsent-form.ts). */
export function PressAnswer({ answer }: { answer: FormAnswer | undefined }) {
  const unsent = Boolean((answer as { unsent?: true } | undefined)?.unsent);
  const [refused] = useNadiForm({ id: "press", lastResult: unsent ? null : (answer?.result ?? null) });
  return (
    <>
      <UnsentPresses unsent={unsent} />
      <ErrorSummary form={refused} />
    </>
  );
}
