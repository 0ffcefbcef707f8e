-- Places on a globe, found from near and from far. A trusted extension, as pg_trgm is (0011).
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS cube;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE EXCEPTION 'Nadi finds what is near with the PostgreSQL extension cube, which this role may not add.'
    USING HINT = 'Have an administrator run "CREATE EXTENSION cube" in this database once, then start again.';
END $$;
--> statement-breakpoint
DROP MATERIALIZED VIEW search_words;
--> statement-breakpoint
DROP TRIGGER doctors_search_text ON doctors;
--> statement-breakpoint
DROP TRIGGER hospitals_search_text ON hospitals;
--> statement-breakpoint
DROP FUNCTION doctors_set_search_text();
--> statement-breakpoint
DROP FUNCTION hospitals_set_search_text();
--> statement-breakpoint
DROP FUNCTION search_words_of(VARIADIC text[]);
--> statement-breakpoint
DROP INDEX "doctors_search";--> statement-breakpoint
DROP INDEX "doctors_called";--> statement-breakpoint
DROP INDEX "hospitals_search";--> statement-breakpoint
DROP INDEX "hospitals_called";--> statement-breakpoint
DROP INDEX "doctors_near";--> statement-breakpoint
DROP INDEX "hospitals_near";--> statement-breakpoint
ALTER TABLE "doctors" DROP COLUMN "search_text";--> statement-breakpoint
ALTER TABLE "hospitals" DROP COLUMN "search_text";--> statement-breakpoint
ALTER TABLE "doctors" ADD COLUMN "words" "tsvector" DEFAULT ''::tsvector NOT NULL;--> statement-breakpoint
ALTER TABLE "doctors" ADD COLUMN "name_words" "tsvector" DEFAULT ''::tsvector NOT NULL;--> statement-breakpoint
ALTER TABLE "doctors" ADD COLUMN "globe" "cube" GENERATED ALWAYS AS (case when "doctors"."latitude" is not null and "doctors"."longitude" is not null then cube(array[cos(radians("doctors"."latitude")) * cos(radians("doctors"."longitude")), cos(radians("doctors"."latitude")) * sin(radians("doctors"."longitude")), sin(radians("doctors"."latitude"))]) end) STORED;--> statement-breakpoint
ALTER TABLE "hospitals" ADD COLUMN "words" "tsvector" DEFAULT ''::tsvector NOT NULL;--> statement-breakpoint
ALTER TABLE "hospitals" ADD COLUMN "name_words" "tsvector" DEFAULT ''::tsvector NOT NULL;--> statement-breakpoint
ALTER TABLE "hospitals" ADD COLUMN "globe" "cube" GENERATED ALWAYS AS (case when "hospitals"."latitude" is not null and "hospitals"."longitude" is not null then cube(array[cos(radians("hospitals"."latitude")) * cos(radians("hospitals"."longitude")), cos(radians("hospitals"."latitude")) * sin(radians("hospitals"."longitude")), sin(radians("hospitals"."latitude"))]) end) STORED;--> statement-breakpoint
-- Words in small letters, each once; domains/directory/words.ts cuts what is typed in the same way.
CREATE FUNCTION words_of(VARIADIC parts text[]) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(array_remove(regexp_split_to_array(lower(left(array_to_string(parts, ' '), 1000)), '[\s!-/:-@\[-`{-~]+'), ''))
$$;
--> statement-breakpoint
CREATE FUNCTION doctors_set_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_words := words_of(NEW.full_name);
  NEW.words := words_of(NEW.full_name, NEW.primary_specialization, NEW.category, NEW.area, NEW.city,
    (SELECT name || ' ' || area FROM hospitals WHERE id = NEW.hospital_id), NEW.additional_specializations);
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER doctors_words BEFORE INSERT OR UPDATE OF full_name, primary_specialization, category, area, city, hospital_id, additional_specializations
  ON doctors FOR EACH ROW EXECUTE FUNCTION doctors_set_words();
--> statement-breakpoint
CREATE FUNCTION hospitals_set_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_words := words_of(NEW.name);
  NEW.words := words_of(NEW.name, NEW.category, array_to_string(NEW.specialties, ' '), NEW.area, NEW.city, NEW.address);
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER hospitals_words BEFORE INSERT OR UPDATE OF name, category, specialties, area, city, address
  ON hospitals FOR EACH ROW EXECUTE FUNCTION hospitals_set_words();
--> statement-breakpoint
UPDATE hospitals SET city = city;
--> statement-breakpoint
UPDATE doctors SET city = city;
--> statement-breakpoint
CREATE INDEX "doctors_words" ON "doctors" USING gin ("words") WITH (fastupdate=false) WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_name_words" ON "doctors" USING gin ("name_words") WITH (fastupdate=false) WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "hospitals_words" ON "hospitals" USING gin ("words") WITH (fastupdate=false) WHERE "hospitals"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hospitals_name_words" ON "hospitals" USING gin ("name_words") WITH (fastupdate=false) WHERE "hospitals"."status" = 'active';--> statement-breakpoint
CREATE INDEX "doctors_near" ON "doctors" USING gist ("globe") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "hospitals_near" ON "hospitals" USING gist ("globe") WHERE "hospitals"."status" = 'active';--> statement-breakpoint
-- Every word that can be found: what a mistyped one may have meant. Made anew at each start and every hour.
CREATE MATERIALIZED VIEW search_words AS
  SELECT DISTINCT word FROM (
    SELECT unnest(tsvector_to_array(words)) AS word FROM doctors WHERE registration_status = 'verified'
    UNION ALL SELECT unnest(tsvector_to_array(words)) FROM hospitals WHERE status = 'active'
  ) found WHERE length(word) BETWEEN 3 AND 40;
--> statement-breakpoint
CREATE UNIQUE INDEX search_words_word ON search_words (word);
--> statement-breakpoint
CREATE INDEX search_words_alike ON search_words USING gin (word gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX search_words_begin ON search_words (left(word, 1), length(word));
--> statement-breakpoint
CREATE INDEX search_words_sound ON search_words (search_sound(word) text_pattern_ops);
