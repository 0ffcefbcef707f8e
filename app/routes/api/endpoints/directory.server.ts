import { z } from "zod";
import { listHospitalOptions } from "#app/domains/credentials/application/hospital-options.server.ts";
import { type DoctorRecord, getDoctorRecord, listDoctorRecords } from "#app/domains/directory/doctors/directory-records.server.ts";
import { photoPath } from "#app/domains/directory/doctors/photo.ts";
import { type HospitalRecord, listHospitalRecords } from "#app/domains/directory/hospitals/hospital-records.server.ts";
import { endpoint, Page } from "#app/http/api/endpoint.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { HospitalInfo, Id, Place, Qualification, RegistrationStatus, Rupees, rupees, Sex, sexOf } from "./wire.ts";

const group = "Doctors and hospitals";

const Doctor = z.object({
  _id: Id,
  id: Id,
  doctorId: Id,
  fullName: z.string(),
  name: z.string(),
  category: z.string(),
  primarySpecialization: z.string(),
  specialization: z.string(),
  additionalSpecializations: z.string(),
  profileImage: z.string().nullable().meta({ description: "Address of the photo. Null without a photo." }),
  experienceYears: z.number(),
  consultationFee: Rupees,
  about: z.string(),
  gender: Sex.nullable(),
  verified: z.boolean(),
  registrationStatus: RegistrationStatus,
  location: Place.extend({ area: z.string() }),
  languages: z.array(z.string()),
  qualifications: z.array(Qualification),
  hospitalInfo: z.array(HospitalInfo.extend({ hospitalId: Id })),
  isDemo: z.boolean(),
});

const doctorOf = (row: DoctorRecord, origin: string): z.input<typeof Doctor> => ({
  _id: row.id,
  id: row.id,
  doctorId: row.id,
  fullName: row.name,
  name: row.name,
  category: row.category,
  primarySpecialization: row.specialization,
  specialization: row.specialization,
  additionalSpecializations: row.additionalSpecializations,
  profileImage: row.photo && `${origin}${photoPath(row.photo)}`,
  experienceYears: row.experienceYears,
  consultationFee: rupees(row.fee),
  about: row.about,
  gender: sexOf(row.gender),
  verified: row.status === "verified",
  registrationStatus: row.status,
  location: { city: row.city, state: row.state, area: row.area },
  languages: row.languages,
  qualifications: row.qualifications,
  hospitalInfo: row.hospital
    ? [
        {
          hospitalId: row.hospital.id,
          hospitalName: row.hospital.name,
          hospitalAddress: row.hospital.address,
          contactNumber: row.hospital.phone ? formatPhone(row.hospital.phone) : "",
        },
      ]
    : [],
  isDemo: row.isDemo,
});

const bound = { bound: 1000, max: 200 };

export const listDoctors = endpoint({
  method: "GET",
  path: "/api/doctor",
  group,
  summary: "Lists verified doctors by name.",
  about: "`category` limits the list to one category, such as Cardiology.",
  who: "everybody",
  query: z.object({ category: z.string().max(60).optional() }),
  answer: z.array(Doctor),
  list: bound,
  etag: true,
  sentences: { failed: () => m.api_doctors_failed() },
  async run({ ctx, query, paging, origin }) {
    const { rows, hasMore } = await listDoctorRecords(ctx, { category: query.category, ...paging });
    return new Page(
      rows.map((row) => doctorOf(row, origin)),
      hasMore,
    );
  },
});

export const getDoctor = endpoint({
  method: "GET",
  path: "/api/doctor/{id}",
  group,
  summary: "Returns one verified doctor.",
  about: "Returns 404 for a doctor who is not verified, as for an unknown id.",
  who: "everybody",
  params: z.object({ id: z.uuid({ error: () => m.api_doctor_not_found() }) }),
  answer: Doctor,
  etag: true,
  sentences: { failed: () => m.api_doctors_failed() },
  async run({ ctx, params, origin }) {
    try {
      return doctorOf(await getDoctorRecord(ctx, params.id), origin);
    } catch (error) {
      if (error instanceof DomainError && error.code === "not-found") throw new DomainError("not-found", m.api_doctor_not_found());
      throw error;
    }
  },
});

export const listHospitalNames = endpoint({
  method: "GET",
  path: "/api1/hospitals/list",
  group,
  summary: "Lists the hospitals that a doctor can choose in an application.",
  about: "`q` finds hospitals by words of their name, address or city.",
  who: "everybody",
  query: z.object({ q: z.string().max(100).default("").meta({ description: "Words of the name, address or city." }) }),
  answer: z.object({
    success: z.literal(true),
    data: z.array(z.object({ _id: Id, id: Id, hospitalName: z.string(), address: z.string(), contact: z.string() })),
    message: z.string(),
  }),
  list: bound,
  etag: true,
  sentences: { failed: () => m.application_hospitals_failed() },
  async run({ ctx, query, paging }) {
    const { options, matching } = await listHospitalOptions(ctx, query.q, paging);
    const data = options.map(({ id, name, address, contact }) => ({ _id: id, id, hospitalName: name, address, contact }));
    const hasMore = paging.offset + options.length < matching;
    return new Page({ success: true as const, data, message: m.application_hospitals_loaded({ count: String(data.length) }) }, hasMore);
  },
});

const Hospital = z.object({
  _id: Id,
  id: Id,
  hospitalId: Id,
  hospitalName: z.string(),
  name: z.string(),
  category: z.string(),
  type: z.string(),
  specialties: z.array(z.string()),
  specialty: z.string(),
  location: z.string(),
  city: z.string(),
  state: z.string(),
  address: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  contact: z.string(),
  email: z.string().nullable(),
  description: z.string(),
  workingHours: z.string(),
  rating: z.number().nullable().meta({ description: "Average of the reviews, out of 5. Null before the first review." }),
  reviewCount: z.number(),
  doctors: z.array(z.object({ _id: Id, doctorId: Id, fullName: z.string() })),
  isDemo: z.boolean(),
});
const hospitalOf = (row: HospitalRecord): z.input<typeof Hospital> => ({
  _id: row.id,
  id: row.id,
  hospitalId: row.id,
  hospitalName: row.name,
  name: row.name,
  category: row.category,
  type: row.category,
  specialties: row.specialties,
  specialty: row.specialties[0] ?? "",
  location: row.area || row.city,
  city: row.city,
  state: row.state,
  address: row.address,
  latitude: row.latitude,
  longitude: row.longitude,
  contact: row.phone ? formatPhone(row.phone) : "",
  email: row.email,
  description: row.about,
  workingHours: row.workingHours,
  rating: row.ratingCount ? Math.round((row.ratingSum / row.ratingCount) * 10) / 10 : null,
  reviewCount: row.ratingCount,
  doctors: row.doctors.map(({ id, name }) => ({ _id: id, doctorId: id, fullName: name })),
  isDemo: row.isDemo,
});

export const listHospitals = endpoint({
  method: "GET",
  path: "/api/hospitals/hospitallogins",
  group,
  summary: "Lists confirmed hospitals with their verified doctors, by name.",
  about: "Every caller with a token may read the list.",
  who: ["patient", "doctor", "reviewer", "admin"],
  answer: z.array(Hospital),
  list: bound,
  etag: true,
  sentences: { noToken: () => m.api_token_missing(), failed: () => m.application_hospitals_failed() },
  async run({ ctx, paging }) {
    const { rows, hasMore } = await listHospitalRecords(ctx, paging);
    return new Page(rows.map(hospitalOf), hasMore);
  },
});
