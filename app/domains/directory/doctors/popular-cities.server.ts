import { and, desc, eq, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { cities, doctorPlaces, doctors, hospitals } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";

/** Returns the cities with most listed doctors, then the largest ones of the country. */
export async function listPopularCities(ctx: Pick<Ctx, "db">, count: number): Promise<{ id: number; name: string }[]> {
  const query = hot(ctx.db, "list_popular_cities", (db) => {
    const places = db
      .select({ city: sql`lower(${doctors.city})`.as("city"), state: doctors.state })
      .from(doctors)
      .where(listedDoctor(doctors))
      .unionAll(
        db
          .select({ city: sql`lower(${hospitals.city})`, state: hospitals.state })
          .from(doctorPlaces)
          .innerJoin(hospitals, eq(hospitals.id, doctorPlaces.hospitalId))
          .innerJoin(doctors, and(eq(doctors.id, doctorPlaces.doctorId), listedDoctor(doctors))),
      )
      .as("places");
    const served = db
      .select({ city: places.city, state: places.state, count: sql`count(*)`.as("count") })
      .from(places)
      .groupBy(places.city, places.state)
      .as("served");
    // Only the largest place of each name.
    const known = db
      .selectDistinctOn([cities.searchName, cities.state], {
        id: cities.id,
        name: cities.name,
        searchName: cities.searchName,
        state: cities.state,
        rank: cities.rank,
      })
      .from(cities)
      .orderBy(cities.searchName, cities.state, desc(cities.rank))
      .as("known");
    return db
      .select({ id: known.id, name: known.name })
      .from(known)
      .leftJoin(served, sql`${eq(served.city, known.searchName)} and ${eq(served.state, known.state)}`)
      .orderBy(sql`${served.count} desc nulls last`, desc(known.rank), known.name)
      .limit(sql.placeholder("count"))
      .prepare("list_popular_cities");
  });
  return query.execute({ count });
}
