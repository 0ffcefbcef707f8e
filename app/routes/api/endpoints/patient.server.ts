import { z } from "zod";
import { profileFormOn } from "#app/domains/patients/profile/profile.schema.ts";
import { getPatientProfile } from "#app/domains/patients/profile/queries.server.ts";
import { savePatientProfile } from "#app/domains/patients/profile/save-profile.server.ts";
import { storeImage } from "#app/domains/platform/files/store-image.server.ts";
import { MAX_IMAGE_BYTES } from "#app/domains/platform/files/upload-limits.ts";
import { endpoint } from "#app/http/api/endpoint.ts";
import { validate } from "#app/http/submit-json.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Day, Done, done, filePath, Id, Sex, sexOf } from "./wire.ts";

const group = "The patient's own profile";
const sentences = { noToken: () => m.profile_not_authenticated(), badToken: () => m.profile_session_expired() };

export const getOwnPatient = endpoint({
  method: "GET",
  path: "/api/patient/profile/get",
  group,
  summary: "Returns the profile of the patient.",
  about: "Fetch `photo` with the same token.",
  who: ["patient"],
  answer: z.object({
    _id: Id,
    id: Id,
    patientId: Id,
    name: z.string().nullable(),
    phone: z.string().nullable(),
    photo: z.string().nullable().meta({ description: "Fetch it with the same token." }),
    dob: Day.nullable(),
    gender: Sex.nullable(),
  }),
  sentences: { ...sentences, failed: () => m.profile_fetch_failed() },
  async run({ ctx, origin }) {
    const profile = await getPatientProfile(ctx);
    const id = ctx.actor.userId;
    return {
      _id: id,
      id,
      patientId: id,
      name: profile.name,
      phone: profile.phone,
      photo: profile.photoFileId && origin + filePath(profile.photoFileId),
      dob: profile.dateOfBirth,
      gender: sexOf(profile.gender),
    };
  },
});

/** Distinguishes an uploaded picture from the address of the one before, which most apps send back. */
const RECEIVED = "received:";
const text = z.string().nullable().optional();

export const saveOwnPatient = endpoint({
  method: "PUT",
  path: "/api/patient/profile/add",
  group,
  summary: "Saves the profile of the patient. A field that is left out is not changed.",
  about: "The phone cannot be changed here. `photo` is a picture of at most 10 MB; any other value leaves the photo unchanged.",
  who: ["patient"],
  body: z.object({ name: text, phone: text, dob: text, gender: text, photo: text }),
  uploadMb: 64,
  files: {
    names: ["photo"],
    many: [],
    rules: (ctx) => ({
      field: "photo",
      maxFiles: 1,
      maxFileSize: MAX_IMAGE_BYTES,
      onFile: async ({ name, bytes }) => RECEIVED + (await storeImage(ctx, { purpose: "patient-photo", name, bytes })).id,
    }),
  },
  answer: Done,
  sentences: { ...sentences, failed: () => m.profile_update_failed() },
  async run({ ctx, body }) {
    const { name, phone: _, dob, photo, ...sameNames } = body;
    const form = validate(profileFormOn(todayInIndia(ctx.now)), {
      ...(await getPatientProfile(ctx)),
      ...sameNames,
      ...(typeof name === "string" && { name }),
      ...(dob !== undefined && { dateOfBirth: dob?.slice(0, 10) }),
      ...(photo?.startsWith(RECEIVED) && { photo: photo.slice(RECEIVED.length) }),
    });
    await savePatientProfile(ctx, form);
    return done(m.profile_updated());
  },
});
