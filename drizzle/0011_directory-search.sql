-- Search by trigrams. A trusted extension: whoever may create in the database may add it. Where not even that is allowed
-- (some managed servers), its administrator adds it once and the migration finds it there.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE EXCEPTION 'Nadi searches with the PostgreSQL extension pg_trgm, which this role may not add.'
    USING HINT = 'Have an administrator run "CREATE EXTENSION pg_trgm" in this database once, then start again.';
END $$;
--> statement-breakpoint
ALTER TABLE "doctors" ADD COLUMN "search_text" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "hospitals" ADD COLUMN "search_text" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "doctors_search" ON "doctors" USING gin ("search_text" gin_trgm_ops) WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_by_name" ON "doctors" USING btree ("full_name","id") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_by_specialty" ON "doctors" USING btree ("primary_specialization","full_name","id") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_by_review" ON "doctors" USING btree (("rating_sum"::float8 / nullif("rating_count", 0)) desc nulls last,"rating_count" DESC NULLS LAST,"full_name","id") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_by_fee" ON "doctors" USING btree ("consultation_fee","full_name","id") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_by_experience" ON "doctors" USING btree ("experience_years","full_name","id") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_near" ON "doctors" USING gist (point("longitude", degrees(ln(tan(radians(45 + "latitude" / 2)))))) WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_of_hospital" ON "doctors" USING btree ("hospital_id","category") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "hospitals_search" ON "hospitals" USING gin ("search_text" gin_trgm_ops) WHERE "hospitals"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hospitals_by_name" ON "hospitals" USING btree ("name","id") WHERE "hospitals"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hospitals_by_review" ON "hospitals" USING btree (("rating_sum"::float8 / nullif("rating_count", 0)) desc nulls last,"rating_count" DESC NULLS LAST,"name","id") WHERE "hospitals"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hospitals_near" ON "hospitals" USING gist (point("longitude", degrees(ln(tan(radians(45 + "latitude" / 2)))))) WHERE "hospitals"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hospitals_treat" ON "hospitals" USING gin ("specialties") WHERE "hospitals"."status" = 'active';
--> statement-breakpoint
-- Words in small letters, one blank before and after each; domains/directory/words.ts cuts what is typed in the same way.
CREATE FUNCTION search_words_of(VARIADIC parts text[]) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ' ' || btrim(regexp_replace(lower(left(array_to_string(parts, ' '), 1000)), '[\s!-/:-@\[-`{-~]+', ' ', 'g')) || ' '
$$;
--> statement-breakpoint
CREATE FUNCTION doctors_set_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := search_words_of(NEW.full_name, NEW.primary_specialization, NEW.category, NEW.area, NEW.city,
    (SELECT name || ' ' || area FROM hospitals WHERE id = NEW.hospital_id), NEW.additional_specializations);
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER doctors_search_text BEFORE INSERT OR UPDATE OF full_name, primary_specialization, category, area, city, hospital_id, additional_specializations
  ON doctors FOR EACH ROW EXECUTE FUNCTION doctors_set_search_text();
--> statement-breakpoint
CREATE FUNCTION hospitals_set_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := search_words_of(NEW.name, NEW.category, array_to_string(NEW.specialties, ' '), NEW.area, NEW.city, NEW.address);
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER hospitals_search_text BEFORE INSERT OR UPDATE OF name, category, specialties, area, city, address
  ON hospitals FOR EACH ROW EXECUTE FUNCTION hospitals_set_search_text();
--> statement-breakpoint
-- A hospital's doctors are found by its name. Whoever changes the name holds the doctors first (holdDoctorsOf).
CREATE FUNCTION hospitals_rename_in_doctors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE doctors SET hospital_id = hospital_id WHERE hospital_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER hospitals_renamed AFTER UPDATE OF name, area ON hospitals FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name OR OLD.area IS DISTINCT FROM NEW.area) EXECUTE FUNCTION hospitals_rename_in_doctors();
--> statement-breakpoint
UPDATE hospitals SET city = city;
--> statement-breakpoint
UPDATE doctors SET city = city;
--> statement-breakpoint
-- Every word that can be found: what a mistyped one may have meant. Made anew at each start and every hour.
CREATE MATERIALIZED VIEW search_words AS
  SELECT DISTINCT word FROM (
    SELECT unnest(string_to_array(btrim(search_text), ' ')) AS word FROM doctors WHERE registration_status = 'verified'
    UNION ALL SELECT unnest(string_to_array(btrim(search_text), ' ')) FROM hospitals WHERE status = 'active'
  ) found WHERE length(word) BETWEEN 3 AND 40;
--> statement-breakpoint
CREATE UNIQUE INDEX search_words_word ON search_words (word);
--> statement-breakpoint
CREATE INDEX search_words_alike ON search_words USING gin (word gin_trgm_ops);
