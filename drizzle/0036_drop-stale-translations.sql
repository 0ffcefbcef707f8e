-- A text in another language belongs to the text it translates: a changed name must not show under its old translation.
-- These triggers fire before doctors_words and hospitals_words (in the order of their names), so the search words are right too.
CREATE FUNCTION without_texts(translations jsonb, VARIADIC stale text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_object_agg(texts.key, texts.value - array_remove(stale, NULL)), '{}') FROM jsonb_each(translations) AS texts
$$;
--> statement-breakpoint
CREATE FUNCTION doctors_drop_stale_translations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.translations <> '{}' AND NEW.translations = OLD.translations THEN
    NEW.translations := without_texts(NEW.translations,
      CASE WHEN NEW.full_name <> OLD.full_name THEN 'name' END,
      CASE WHEN NEW.area <> OLD.area THEN 'area' END,
      CASE WHEN NEW.about <> OLD.about THEN 'about' END,
      CASE WHEN NEW.additional_specializations <> OLD.additional_specializations THEN 'treats' END);
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER doctors_stale_translations BEFORE UPDATE OF full_name, area, about, additional_specializations
  ON doctors FOR EACH ROW EXECUTE FUNCTION doctors_drop_stale_translations();
--> statement-breakpoint
CREATE FUNCTION hospitals_drop_stale_translations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.translations <> '{}' AND NEW.translations = OLD.translations THEN
    NEW.translations := without_texts(NEW.translations,
      CASE WHEN NEW.name <> OLD.name THEN 'name' END,
      CASE WHEN NEW.area <> OLD.area THEN 'area' END,
      CASE WHEN NEW.address <> OLD.address THEN 'address' END,
      CASE WHEN NEW.about <> OLD.about THEN 'about' END,
      CASE WHEN NEW.working_hours <> OLD.working_hours THEN 'hours' END);
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER hospitals_stale_translations BEFORE UPDATE OF name, area, address, about, working_hours
  ON hospitals FOR EACH ROW EXECUTE FUNCTION hospitals_drop_stale_translations();
