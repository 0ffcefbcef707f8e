import { z } from "zod";
import { DoctorAuthSchema, DoctorCredentialsSchema, PatientLoginSchema } from "#app/domains/accounts/accounts.schema.ts";
import { finishDoctorAuthInApp, startDoctorAuthInApp, verifyDoctorCodeInApp } from "#app/domains/accounts/doctor-auth.server.ts";
import { findNewestChallenge, startChallenge } from "#app/domains/accounts/otp.server.ts";
import { endSession } from "#app/domains/accounts/sessions.server.ts";
import { verifyPatientLogin } from "#app/domains/accounts/verify-patient-login.server.ts";
import { getDoctorName } from "#app/domains/doctors/queries.server.ts";
import { getPatientProfile } from "#app/domains/patients/queries.server.ts";
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

export const sendDoctorOtp = endpoint({
  method: "POST",
  path: "/api/auth/doctor/send-otp",
  group,
  summary: "Sends a code to a doctor's phone. Reviewers and administrators log in the same way.",
  about: "Whether the account exists is told to nobody who has not proven the phone: isExistingDoctor repeats what was asked for.",
  who: "everybody",
  body: z.object({ phone: credentials.mobile, email: credentials.email, isRegistration: z.boolean().default(false) }),
  answer: Done.extend({ isExistingDoctor: z.boolean() }),
  says: { failed: sendFailed },
  async run({ ctx, body }) {
    await startDoctorAuthInApp(ctx, { mode: body.isRegistration ? "register" : "login", email: body.email, mobile: body.phone });
    return { ...done(m.accounts_otp_sent()), isExistingDoctor: !body.isRegistration };
  },
});

export const verifyDoctorOtp = endpoint({
  method: "POST",
  path: "/api/auth/doctor/verify-otp",
  group,
  summary: "Proves the phone with the code of the SMS, which is good for 300 seconds.",
  about: "Comes from the address that asked for the code. Who has proven the phone is told whether the account exists.",
  who: "everybody",
  body: z.object({ phone: credentials.mobile, otp: doctorCode, email: credentials.email }),
  answer: Done.extend({ isExistingDoctor: z.boolean(), registrationStatus: RegistrationStatus.nullable() }),
  says: { failed: checkFailed },
  async run({ ctx, body }) {
    const { isExisting, registrationStatus } = await verifyDoctorCodeInApp(ctx, {
      email: body.email,
      mobile: body.phone,
      code: body.otp,
    });
    return { ...done(m.accounts_otp_verified()), isExistingDoctor: isExisting, registrationStatus };
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
  summary: "Ends the login or the registration, and gives the token.",
  about: "`doctor`, `doctorId` and `registrationStatus` are null for reviewers and administrators.",
  who: "everybody",
  body: z.object({ email: credentials.email, password: credentials.password, mobileNumber: credentials.mobile }),
  answer: Done.extend({
    token: z.string(),
    role: z.enum(["doctor", "reviewer", "admin"]),
    userId: Id,
    doctor: DoctorHead.nullable(),
    doctorId: Id.nullable(),
    registrationStatus: RegistrationStatus.nullable(),
    isNewlyRegistered: z.boolean(),
  }),
  async run({ ctx, body, userAgent }) {
    const given = await finishDoctorAuthInApp(ctx, {
      email: body.email,
      mobile: body.mobileNumber,
      password: body.password,
      userAgent,
    });
    const { token, userId, registrationStatus: status, isNewlyRegistered } = given;
    const role = given.role as "doctor" | "reviewer" | "admin";
    const fullName = role === "doctor" ? await getDoctorName({ ...ctx, actor: { userId, role } }) : "";
    const message = isNewlyRegistered
      ? m.api_registered()
      : status === null || status === "verified"
        ? m.api_logged_in()
        : m.accounts_under_review();
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
    };
  },
});

export const sendPatientOtp = endpoint({
  method: "POST",
  path: "/api/auth/patient/send-otp",
  group,
  summary: "Sends a code to a patient's phone.",
  who: "everybody",
  body: z.object({ phoneNumber: patientSend.shape.phoneNumber }),
  answer: Done,
  says: { failed: sendFailed },
  async run({ ctx, body }) {
    await startChallenge(ctx, { purpose: "patient-login", phone: body.phoneNumber });
    return done(m.accounts_otp_sent());
  },
});

export const verifyPatientOtp = endpoint({
  method: "POST",
  path: "/api/auth/patient/verify-otp",
  group,
  summary: "Logs a patient in with the code of the SMS, which is good for 120 seconds. A new number is a new patient.",
  who: "everybody",
  body: z.object({ phoneNumber: patientSend.shape.phoneNumber, otp: patientVerify.shape.otp }),
  answer: Done.extend({
    token: z.string(),
    patient: z.object({ _id: Id, id: Id, patientId: Id, name: z.string().nullable(), phone: z.string().nullable() }),
  }),
  says: { failed: checkFailed },
  async run({ ctx, body, userAgent }) {
    const challenge = await findNewestChallenge(ctx, body.phoneNumber, ["patient-login"]);
    const expired = m.accounts_otp_expired_patient();
    if (!challenge) throw new DomainError("invalid", expired, { fields: { otp: [expired] } });
    const { token, patientId } = await verifyPatientLogin(ctx, {
      idHash: challenge.idHash,
      code: body.otp,
      userAgent,
      kind: "api",
    });
    const { name, phone } = await getPatientProfile({ ...ctx, actor: { userId: patientId, role: "patient" } });
    return { ...done(m.accounts_otp_verified()), token, patient: { _id: patientId, id: patientId, patientId, name, phone } };
  },
});

export const endToken = endpoint({
  method: "DELETE",
  path: "/api/auth/token",
  group,
  summary: "Ends the token it is called with.",
  about: "Not in the specification, whose apps only forget their token.",
  who: ["patient", "doctor", "reviewer", "admin"],
  answer: Done,
  async run({ ctx, tokenHash }) {
    await endSession(ctx, tokenHash);
    return done(m.api_logged_out());
  },
});
