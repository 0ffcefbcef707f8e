import { z } from "zod";
import { unverifiedWord } from "#app/domains/credentials/cases/words.ts";
import { getDoctorName } from "#app/domains/directory/doctors/queries.server.ts";
import { getPatientProfile } from "#app/domains/patients/profile/queries.server.ts";
import { DoctorAuthSchema, DoctorCredentialsSchema, PatientLoginSchema } from "#app/domains/platform/accounts/accounts.schema.ts";
import { proveByCode, startCodeProof } from "#app/domains/platform/accounts/confirm-identity.server.ts";
import {
  finishDoctorAuthInApp,
  startDoctorAuthInApp,
  verifyDoctorCodeInApp,
} from "#app/domains/platform/accounts/doctor-auth-in-app.server.ts";
import { findAppChallenge, startChallenge } from "#app/domains/platform/accounts/otp.server.ts";
import { endSession } from "#app/domains/platform/accounts/sessions.server.ts";
import { verifyPatientLogin } from "#app/domains/platform/accounts/verify-patient-login.server.ts";
import { endpoint } from "#app/http/api/endpoint.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { Done, done, Id, RegistrationStatus } from "./wire.ts";

const group = "Logging in";
const credentials = DoctorCredentialsSchema.shape;
const doctorCode = DoctorAuthSchema.options[3].shape.otp;
const [patientSend, , patientVerify] = PatientLoginSchema.options;
const sendFailed = () => m.accounts_otp_send_failed();
const checkFailed = () => m.api_otp_check_failed();

/** What a client may send beside the specification's fields, to be known again and bound to its own code. */
const opaque = z.string().min(1).max(400);
const challengeId = opaque.optional();
const deviceToken = opaque.optional();
const retryTicket = opaque.optional();
const sendExtras =
  "Send the `challengeId` of the answer with the code, so that the code is checked against this request. A client that has logged in before sends the `deviceToken` of that login: its codes have limits of their own. After a 429 with a `retryTicket`, wait for Retry-After seconds and send the same request with the ticket.";
const checkExtras =
  "With the `challengeId` of send-otp the code is checked against that request. Without it, the newest request from the same address counts.";

export const sendDoctorOtp = endpoint({
  method: "POST",
  path: "/api/auth/doctor/send-otp",
  group,
  summary: "Sends a code by SMS to the phone of a doctor, a reviewer or an administrator.",
  about: `Does not reveal whether the account exists: isExistingDoctor repeats the value of the request. ${sendExtras}`,
  who: "everybody",
  body: z.object({
    phone: credentials.mobile,
    email: credentials.email,
    isRegistration: z.boolean().default(false),
    deviceToken,
    retryTicket,
  }),
  answer: Done.extend({ isExistingDoctor: z.boolean(), challengeId: z.string() }),
  sentences: { failed: sendFailed },
  async run({ ctx, body }) {
    const { challengeId } = await startDoctorAuthInApp(
      { ...ctx, device: body.deviceToken ?? null },
      { mode: body.isRegistration ? "register" : "login", email: body.email, mobile: body.phone, ticket: body.retryTicket ?? null },
    );
    return { ...done(m.accounts_otp_sent()), isExistingDoctor: !body.isRegistration, challengeId };
  },
});

export const verifyDoctorOtp = endpoint({
  method: "POST",
  path: "/api/auth/doctor/verify-otp",
  group,
  summary: "Checks the code of a doctor, a reviewer or an administrator. A code is valid for 300 seconds.",
  about: `The answer shows whether the account exists, because the phone is now verified. ${checkExtras} \`verificationToken\` is a one-time secret for doctor-auth.`,
  who: "everybody",
  body: z.object({ phone: credentials.mobile, otp: doctorCode, email: credentials.email, challengeId }),
  answer: Done.extend({
    isExistingDoctor: z.boolean(),
    registrationStatus: RegistrationStatus.nullable(),
    verificationToken: z.string(),
  }),
  sentences: { failed: checkFailed },
  async run({ ctx, body }) {
    const { isExisting, registrationStatus, verificationToken } = await verifyDoctorCodeInApp(ctx, {
      email: body.email,
      mobile: body.phone,
      code: body.otp,
      challengeId: body.challengeId,
    });
    return { ...done(m.accounts_otp_verified()), isExistingDoctor: isExisting, registrationStatus, verificationToken };
  },
});

const DoctorHead = z.object({
  _id: Id,
  id: Id,
  doctorId: Id,
  fullName: z.string(),
  email: z.string(),
  registrationStatus: RegistrationStatus,
  verified: z.boolean(),
});

export const doctorAuth = endpoint({
  method: "POST",
  path: "/api/auth/doctor/doctor-auth",
  group,
  summary: "Completes the login or the registration with the password, and returns the token.",
  about:
    "Send the `verificationToken` of verify-otp. Without it, call from the same address within two minutes after the code was checked. After three wrong passwords a new code is needed. `doctor`, `doctorId` and `registrationStatus` are null for reviewers, administrators and staff. One of them with a weak password gets a token, but every call with it is refused with 403 until the password is changed on the website.",
  who: "everybody",
  body: z.object({
    email: credentials.email,
    password: credentials.password,
    mobileNumber: credentials.mobile,
    verificationToken: opaque.optional(),
    deviceToken,
  }),
  answer: Done.extend({
    token: z.string(),
    role: z.enum(["doctor", "reviewer", "admin", "staff"]),
    userId: Id,
    doctor: DoctorHead.nullable(),
    doctorId: Id.nullable(),
    registrationStatus: RegistrationStatus.nullable(),
    isNewlyRegistered: z.boolean(),
    deviceToken: z.string(),
  }),
  async run({ ctx, body, userAgent }) {
    const given = await finishDoctorAuthInApp(
      { ...ctx, device: body.deviceToken ?? null },
      {
        email: body.email,
        mobile: body.mobileNumber,
        password: body.password,
        userAgent,
        verificationToken: body.verificationToken,
      },
    );
    const { token, userId, registrationStatus: status, isNewlyRegistered } = given;
    const role = given.role as "doctor" | "reviewer" | "admin" | "staff";
    const fullName = role === "doctor" ? await getDoctorName({ ...ctx, actor: { userId, role } }) : "";
    const message = isNewlyRegistered
      ? m.api_registered()
      : status === null || status === "verified"
        ? m.api_logged_in()
        : unverifiedWord(status);
    return {
      ...done(message),
      token,
      role,
      userId,
      doctor: status && {
        _id: userId,
        id: userId,
        doctorId: userId,
        fullName,
        email: body.email,
        registrationStatus: status,
        verified: status === "verified",
      },
      doctorId: status && userId,
      registrationStatus: status,
      isNewlyRegistered,
      deviceToken: given.device,
    };
  },
});

export const sendPatientOtp = endpoint({
  method: "POST",
  path: "/api/auth/patient/send-otp",
  group,
  summary: "Sends a code by SMS to the phone of a patient.",
  about: sendExtras,
  who: "everybody",
  body: z.object({ phoneNumber: patientSend.shape.phoneNumber, deviceToken, retryTicket }),
  answer: Done.extend({ challengeId: z.string() }),
  sentences: { failed: sendFailed },
  async run({ ctx, body }) {
    const { challengeId } = await startChallenge(
      { ...ctx, device: body.deviceToken ?? null },
      { purpose: "patient-login", phone: body.phoneNumber, ticket: body.retryTicket ?? null },
    );
    return { ...done(m.accounts_otp_sent()), challengeId };
  },
});

export const verifyPatientOtp = endpoint({
  method: "POST",
  path: "/api/auth/patient/verify-otp",
  group,
  summary: "Logs a patient in with the code from the SMS, and returns the token. A code is valid for 120 seconds.",
  about: checkExtras,
  who: "everybody",
  body: z.object({ phoneNumber: patientSend.shape.phoneNumber, otp: patientVerify.shape.otp, challengeId, deviceToken }),
  answer: Done.extend({
    token: z.string(),
    patient: z.object({ _id: Id, id: Id, patientId: Id, name: z.string().nullable(), phone: z.string().nullable() }),
    deviceToken: z.string(),
  }),
  sentences: { failed: checkFailed },
  async run({ ctx, body, userAgent }) {
    const challenge = await findAppChallenge(ctx, {
      phone: body.phoneNumber,
      purposes: ["patient-login"],
      challengeId: body.challengeId,
    });
    const expired = m.accounts_otp_expired_patient();
    if (!challenge) throw new DomainError("invalid", expired, { fields: { otp: [expired] } });
    const { token, patientId, device } = await verifyPatientLogin(
      { ...ctx, device: body.deviceToken ?? null },
      { idHash: challenge.idHash, code: body.otp, userAgent, kind: "api" },
    );
    const { name, phone } = await getPatientProfile({ ...ctx, actor: { userId: patientId, role: "patient" } });
    return {
      ...done(m.accounts_otp_verified()),
      token,
      patient: { _id: patientId, id: patientId, patientId, name, phone },
      deviceToken: device,
    };
  },
});

export const sendProofOtp = endpoint({
  method: "POST",
  path: "/api/auth/proof/send-otp",
  group,
  summary: "Sends a code by SMS to the phone of the account, to confirm the identity of the caller.",
  about:
    "Not in the specification. A sensitive call, such as a change of the bank account, returns 403 when the last proof of identity is older than 5 minutes. A login counts as a proof. For a new one, send the `challengeId` of this answer and the code from the SMS to POST /api/auth/proof/verify-otp, or as `proof` in the body of a call that has it. The proof is valid for this token for 5 minutes.",
  who: ["doctor", "reviewer", "admin", "staff"],
  answer: Done.extend({ challengeId: z.string(), expiresAt: z.iso.datetime() }),
  sentences: { failed: sendFailed },
  async run({ ctx, tokenHash }) {
    const { challengeId, expiresAt } = await startCodeProof(ctx, tokenHash);
    return { ...done(m.accounts_otp_sent()), challengeId, expiresAt: expiresAt.toISOString() };
  },
});

export const verifyProofOtp = endpoint({
  method: "POST",
  path: "/api/auth/proof/verify-otp",
  group,
  summary: "Confirms the identity of the caller with the code from the SMS.",
  about:
    "Not in the specification. For sensitive calls without a body, such as the download of an export: after their 403, send a code, confirm it here, and call them again within 5 minutes.",
  who: ["doctor", "reviewer", "admin", "staff"],
  body: z.object({ challengeId: opaque, otp: doctorCode }),
  answer: Done,
  sentences: { failed: checkFailed },
  async run({ ctx, tokenHash, body: { challengeId, otp } }) {
    await proveByCode(ctx, { sessionHash: tokenHash, challengeId, code: otp });
    return done(m.accounts_otp_verified());
  },
});

export const endToken = endpoint({
  method: "DELETE",
  path: "/api/auth/token",
  group,
  summary: "Revokes the caller's token.",
  about: "Not in the specification. Afterwards the token is refused with 401.",
  who: ["patient", "doctor", "reviewer", "admin", "staff"],
  weakPassword: true,
  answer: Done,
  async run({ ctx, tokenHash }) {
    await endSession(ctx, tokenHash);
    return done(m.api_logged_out());
  },
});
