/** Not in the specification: other times that a doctor proposes for an appointment (app/domains/booking/appointments). */
import { z } from "zod";
import { getPatientAppointment } from "#app/domains/booking/appointments/patient-queries.server.ts";
import { MAX_OPTIONS } from "#app/domains/booking/appointments/proposal-times.ts";
import { declineProposal, findProposal, proposeTimes, takeProposal } from "#app/domains/booking/appointments/proposals.server.ts";
import { endpoint } from "#app/http/api/endpoint.ts";
import { clockTime, isDateKey, isTimeKey, parseTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Day, Done, done, Id, IdParam, Time } from "./wire.ts";

const group = "Appointments";
const ended = () => m.proposals_choose();
/** A free time as other calls write it: "2026-11-24" and "10:30 AM". */
const FreeTime = z.object({
  date: Day.refine(isDateKey, { error: ended }),
  time: Time.transform((text) => parseTime(text) ?? "").refine(isTimeKey, { error: ended }),
});
const ProposalParams = z.object({ id: z.uuid(), proposalId: z.uuid() });
const sentences = { failed: () => m.api_proposal_failed() };

export const proposeTimesCall = endpoint({
  method: "POST",
  path: "/api/appointments/{id}/proposals",
  group,
  summary: "Proposes one to three other free times to the patient of an appointment of the doctor.",
  about:
    "Not in the specification. The appointment stays as it is until the patient takes a time. A new proposal replaces the one before. 409: a time is not free, or the appointment is closed or has started.",
  who: ["doctor"],
  verified: true,
  params: IdParam,
  body: z.object({ times: z.array(FreeTime).min(1, { error: ended }).max(MAX_OPTIONS, { error: ended }) }),
  answer: Done,
  status: 201,
  creates: true,
  sentences,
  async run({ ctx, params, body }) {
    await proposeTimes(ctx, { id: params.id, options: body.times });
    return done(m.proposals_sent());
  },
});

export const getProposal = endpoint({
  method: "GET",
  path: "/api/appointments/{id}/proposal",
  group,
  summary: "Returns the times that the doctor proposes for an appointment of the patient, those that are still free.",
  about:
    "Not in the specification. `proposal` is null without an open proposal. `isAway`: the doctor cannot come at the booked time, so the appointment is cancelled if no time is taken.",
  who: ["patient"],
  params: IdParam,
  answer: z.object({
    success: z.literal(true),
    proposal: z
      .object({
        id: Id,
        times: z.array(z.object({ date: Day, time: Time })),
        isAway: z.boolean(),
        until: z.object({ date: Day, time: Time }).meta({ description: "Until when the patient can answer." }),
      })
      .nullable(),
  }),
  sentences,
  async run({ ctx, params }) {
    const { id } = await getPatientAppointment(ctx, params.id);
    const found = await findProposal(ctx, id);
    const written = ({ date, time }: { date: string; time: string }) => ({ date, time: clockTime(time) });
    return {
      success: true as const,
      proposal: found && { id: found.id, times: found.options.map(written), isAway: found.away !== null, until: written(found.until) },
    };
  },
});

export const takeProposalCall = endpoint({
  method: "POST",
  path: "/api/appointments/{id}/proposals/{proposalId}/take",
  group,
  summary: "Moves the patient's appointment to one of the proposed times.",
  about:
    "Not in the specification. The appointment is accepted at once. A repeated call changes nothing. 409: the time is no longer free, or the proposal has ended.",
  who: ["patient"],
  params: ProposalParams,
  body: FreeTime,
  answer: Done,
  sentences,
  async run({ ctx, params, body }) {
    await takeProposal(ctx, { id: params.id, proposal: params.proposalId, at: body });
    return done(m.proposals_taken());
  },
});

export const declineProposalCall = endpoint({
  method: "POST",
  path: "/api/appointments/{id}/proposals/{proposalId}/decline",
  group,
  summary: "Declines the proposed times. The appointment keeps its time, or is cancelled if the doctor is away then.",
  about: "Not in the specification. A repeated call changes nothing. 409: the proposal has ended.",
  who: ["patient"],
  params: ProposalParams,
  answer: Done,
  sentences,
  async run({ ctx, params }) {
    await declineProposal(ctx, { id: params.id, proposal: params.proposalId });
    const { status } = await getPatientAppointment(ctx, params.id);
    return done(status === "cancelled" ? m.appointments_cancelled() : m.proposals_declined());
  },
});
