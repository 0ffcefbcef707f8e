ALTER TABLE "hospitals" ADD COLUMN "doctors_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "hospitals" ADD COLUMN "doctor_categories" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
CREATE INDEX "doctors_by_lowest_review" ON "doctors" USING btree (("rating_sum"::float8 / nullif("rating_count", 0)) asc nulls last,"rating_count" DESC NULLS LAST,"full_name","id") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_called" ON "doctors" USING gin ((' ' || lower("full_name")) gin_trgm_ops) WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_by_highest_fee" ON "doctors" USING btree ("consultation_fee" desc nulls last,"full_name","id") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "hospitals_by_lowest_review" ON "hospitals" USING btree (("rating_sum"::float8 / nullif("rating_count", 0)) asc nulls last,"rating_count" DESC NULLS LAST,"name","id") WHERE "hospitals"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hospitals_by_doctors" ON "hospitals" USING btree ("doctors_count" DESC NULLS LAST,"name","id") WHERE "hospitals"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hospitals_called" ON "hospitals" USING gin ((' ' || lower("name")) gin_trgm_ops) WHERE "hospitals"."status" = 'active';--> statement-breakpoint
-- A hospital knows how many shown doctors it has, and their categories. The hospitals are held first, in one order, so that
-- of two who change at once the second counts the first.
CREATE FUNCTION hospitals_count_doctors() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was uuid := CASE WHEN TG_OP <> 'INSERT' AND OLD.registration_status = 'verified' THEN OLD.hospital_id END;
  now_in uuid := CASE WHEN TG_OP <> 'DELETE' AND NEW.registration_status = 'verified' THEN NEW.hospital_id END;
BEGIN
  IF was IS NOT DISTINCT FROM now_in AND (was IS NULL OR OLD.category = NEW.category) THEN RETURN NULL; END IF;
  PERFORM FROM hospitals WHERE id IN (was, now_in) ORDER BY id FOR NO KEY UPDATE;
  UPDATE hospitals h SET doctors_count = found.n, doctor_categories = found.categories
    FROM unnest(ARRAY[was, now_in]) AS changed(id), LATERAL (
      SELECT count(*)::int AS n, coalesce(array_agg(DISTINCT category), '{}') AS categories
      FROM doctors WHERE hospital_id = changed.id AND registration_status = 'verified') found
    WHERE h.id = changed.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER doctors_counted_in_hospital AFTER INSERT OR DELETE OR UPDATE OF registration_status, hospital_id, category
  ON doctors FOR EACH ROW EXECUTE FUNCTION hospitals_count_doctors();
--> statement-breakpoint
UPDATE hospitals h SET doctors_count = found.n, doctor_categories = found.categories
  FROM (SELECT hospital_id, count(*)::int AS n, array_agg(DISTINCT category) AS categories
    FROM doctors WHERE registration_status = 'verified' GROUP BY hospital_id) found
  WHERE h.id = found.hospital_id;
