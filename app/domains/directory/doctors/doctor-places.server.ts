/** A doctor is in the directory at each place where they see patients: `doctors` has the first practice, `doctor_places` the others. */
import { sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { doctorPlaces, doctors, hospitals } from "#app/db/schema/index.ts";
import { fromHere, kilometres } from "../near.ts";

const entry = sql`${doctors}."practice_id"`;
/** Entries for `searchDirectory`. Both name the doctor's columns as the table does, so that the same conditions fit. */
export const PLACES = {
  home: sql`(select d.*, d.id as practice_id from ${doctors} d) as ${doctors}`,
  further: sql`(select d.id, d.registration_status, d.full_name, d.category, d.primary_specialization, d.experience_years, d.gender, d.languages,
    d.rating_sum, d.rating_count, d.name_words, l.fee as consultation_fee, l.hospital_id, l.words, l.globe, l.practice_id
    from ${doctorPlaces} l join ${doctors} d on d.id = l.doctor_id) as ${doctors}`,
  entry,
  nearest: sql`coalesce((select l.practice_id from ${doctorPlaces} l join ${doctors} d on d.id = l.doctor_id
    where l.doctor_id = shown.id and (d.globe is null or ${fromHere({ globe: sql`l.globe` })} < ${fromHere({ globe: sql`d.globe` })})
    order by ${fromHere({ globe: sql`l.globe` })} limit 1), shown.id)`,
};

const isFurther = sql`${doctorPlaces.practiceId} is not null`;
const choose = <T>(there: unknown, home: unknown) => sql<T>`case when ${isFurther} then ${there} else ${home} end`;
/** Columns of a card that depend on the place, with `doctor_places` and its hospital joined to the page. */
export const placeOfCard = {
  /** null at the first practice. */
  practiceId: doctorPlaces.practiceId,
  fee: choose<number | null>(doctorPlaces.fee, sql`${doctors.consultationFee}`).mapWith(doctors.consultationFee),
  area: choose<string>(inLanguage(hospitals.area, hospitals.translations, "area"), inLanguage(doctors.area, doctors.translations, "area")),
  city: choose<string>(hospitals.city, doctors.city),
  distance: choose<number | null>(kilometres(doctorPlaces), kilometres(doctors)),
};
