import { eq } from "drizzle-orm";
import { Form, Link, useLoaderData } from "react-router";
import { db } from "#app/db/pool.server.ts";
import { averageOf, doctors, hospitals } from "#app/db/schema/index.ts";

/** The rows of one page of the product's list. */
const ROWS = 10;
const list = db()
  .select({
    id: doctors.id,
    name: doctors.fullName,
    specialization: doctors.primarySpecialization,
    experience: doctors.experienceYears,
    fee: doctors.consultationFee,
    rating: averageOf(doctors),
    hospital: hospitals.name,
    city: doctors.city,
  })
  .from(doctors)
  .leftJoin(hospitals, eq(hospitals.id, doctors.hospitalId))
  .where(eq(doctors.registrationStatus, "verified"))
  .orderBy(doctors.fullName)
  .limit(ROWS)
  .prepare("bench_doctors");

export const loader = async () => ({ rows: await list.execute() });

/** A list of doctors as a first version of this product would have it: what our cards say, without icons and pictures. */
export default function Doctors() {
  const { rows } = useLoaderData<typeof loader>();
  return (
    <main>
      <h1>Doctors</h1>
      <Form>
        <input type="search" name="q" aria-label="Search" /> <button type="submit">Search</button>
      </Form>
      <ul>
        {rows.map((one) => (
          <li key={one.id}>
            <h2>
              <Link to={`/doctors/${one.id}`}>{one.name}</Link>
            </h2>
            <p>{one.specialization}</p>
            <p>
              {one.hospital}, {one.city}
            </p>
            <p>
              {one.experience} years · {one.rating ?? "no"} stars · ₹{(one.fee ?? 0) / 100}
            </p>
            <Link to={`/doctors/${one.id}/book`}>Book</Link>
          </li>
        ))}
      </ul>
    </main>
  );
}
