import { channel } from "node:diagnostics_channel";
import type { LimitName } from "../limits/limits.ts";

/** An attempt to send a code: by a known device, an unknown one, or an unknown one after a wait. `refused`: by these limits. */
export type CodeSend = { lane: "known" | "stranger" | "waited"; refused: readonly LimitName[] | undefined };

/** Publishes each attempt to send a code. app/server/code-alarm.ts counts them and raises the alarm. */
export const codeSends = channel("nadi:code-sends");
