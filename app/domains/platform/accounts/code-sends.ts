import { channel } from "node:diagnostics_channel";
import type { LimitName } from "../limits/limits.ts";

/** One try to send a code: by a known device, by a stranger, or by a stranger who has waited. `refused`: by these limits. */
export type CodeSend = { lane: "known" | "stranger" | "waited"; refused: readonly LimitName[] | undefined };

/** Each try to send a code is published here; app/server/code-alarm.ts counts them and raises the alarm. */
export const codeSends = channel("nadi:code-sends");
