import { useLoaderData } from "react-router";
import { db } from "#app/db/pool.server.ts";
import { doctors } from "#app/db/schema/index.ts";

const twenty = db()
  .select({ id: doctors.id, name: doctors.fullName, city: doctors.city })
  .from(doctors)
  .orderBy(doctors.fullName)
  .limit(20)
  .prepare("bench_rows");

export const loader = async () => ({ rows: await twenty.execute() });

export default function Rows() {
  const { rows } = useLoaderData<typeof loader>();
  return (
    <main>
      <h1>Rows</h1>
      <ul>
        {rows.map(({ id, name, city }) => (
          <li key={id}>
            <a href={`/${id}`}>{name}</a>, {city}
          </li>
        ))}
      </ul>
    </main>
  );
}
