-- The directory search also finds the names in Telugu and Hindi. Replaces the functions and triggers of 0020 and 0011.
CREATE FUNCTION translated_words(translations jsonb, VARIADIC fields text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(texts.value ->> field, ' '), '')
  FROM jsonb_each(translations) AS texts, unnest(fields) AS field
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION doctors_set_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_words := words_of(NEW.full_name, translated_words(NEW.translations, 'name'));
  NEW.words := words_of(NEW.full_name, translated_words(NEW.translations, 'name', 'area'), NEW.primary_specialization, NEW.category, NEW.area, NEW.city,
    (SELECT name || ' ' || area || ' ' || translated_words(translations, 'name', 'area') FROM hospitals WHERE id = NEW.hospital_id), NEW.additional_specializations);
  RETURN NEW;
END $$;
--> statement-breakpoint
DROP TRIGGER doctors_words ON doctors;
--> statement-breakpoint
CREATE TRIGGER doctors_words BEFORE INSERT OR UPDATE OF full_name, translations, primary_specialization, category, area, city, hospital_id, additional_specializations
  ON doctors FOR EACH ROW EXECUTE FUNCTION doctors_set_words();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION hospitals_set_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_words := words_of(NEW.name, translated_words(NEW.translations, 'name'));
  NEW.words := words_of(NEW.name, translated_words(NEW.translations, 'name', 'area', 'address'), NEW.category, array_to_string(NEW.specialties, ' '), NEW.area, NEW.city, NEW.address);
  RETURN NEW;
END $$;
--> statement-breakpoint
DROP TRIGGER hospitals_words ON hospitals;
--> statement-breakpoint
CREATE TRIGGER hospitals_words BEFORE INSERT OR UPDATE OF name, translations, category, specialties, area, city, address
  ON hospitals FOR EACH ROW EXECUTE FUNCTION hospitals_set_words();
--> statement-breakpoint
DROP TRIGGER hospitals_renamed ON hospitals;
--> statement-breakpoint
CREATE TRIGGER hospitals_renamed AFTER UPDATE OF name, area, translations ON hospitals FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name OR OLD.area IS DISTINCT FROM NEW.area OR OLD.translations IS DISTINCT FROM NEW.translations)
  EXECUTE FUNCTION hospitals_rename_in_doctors();
