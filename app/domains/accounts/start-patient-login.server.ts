import type { Phone } from "#app/lib/phone.ts";
import type { Ctx } from "../context.server.ts";
import { startChallenge } from "./otp.server.ts";

/** Sends a patient's login code. The answer is the same for a number we know and one we do not. */
export const startPatientLogin = (ctx: Ctx, input: { phone: Phone }) => startChallenge(ctx, { purpose: "patient-login", phone: input.phone });
