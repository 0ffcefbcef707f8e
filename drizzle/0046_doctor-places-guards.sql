-- Custom SQL migration file. Doctors are listed at each place where they see patients: doctor_places follows practices, doctors and hospitals.
-- Fills the rows again of the given practices. One without an active practice at a listed place has none. The order of locks: hospitals, then rows.
CREATE FUNCTION refresh_doctor_places(which uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM doctor_places l WHERE l.practice_id = ANY (which) AND NOT EXISTS (
    SELECT FROM practices p JOIN hospitals h ON h.id = p.hospital_id
    WHERE p.id = l.practice_id AND p.state = 'active' AND h.status = 'active');
  INSERT INTO doctor_places (practice_id, doctor_id, hospital_id, fee, globe, words)
    SELECT p.id, p.doctor_id, h.id, coalesce(p.fee, d.consultation_fee), h.globe,
      words_of(d.full_name, translated_words(d.translations, 'name'), d.primary_specialization, d.category, h.area, h.city,
        h.name || ' ' || translated_words(h.translations, 'name', 'area'), d.additional_specializations)
    FROM practices p JOIN hospitals h ON h.id = p.hospital_id JOIN doctors d ON d.id = p.doctor_id
    WHERE p.id = ANY (which) AND p.state = 'active' AND h.status = 'active'
    ON CONFLICT (practice_id) DO UPDATE SET hospital_id = excluded.hospital_id, fee = excluded.fee, globe = excluded.globe, words = excluded.words;
END $$;--> statement-breakpoint
-- How many listed doctors a hospital has, at whichever of their practices, and their categories. Replaces the counting of 0017.
CREATE FUNCTION recount_doctors_of(which uuid[]) RETURNS void LANGUAGE sql AS $$
  UPDATE hospitals h SET doctors_count = found.n, doctor_categories = found.categories
  FROM unnest(which) AS changed(id), LATERAL (
    SELECT count(*)::int AS n, coalesce(array_agg(DISTINCT category), '{}') AS categories
    FROM doctors d WHERE d.registration_status = 'verified' AND (d.hospital_id = changed.id
      OR d.id IN (SELECT l.doctor_id FROM doctor_places l WHERE l.hospital_id = changed.id))) found
  WHERE h.id = changed.id AND (h.doctors_count, h.doctor_categories) IS DISTINCT FROM (found.n, found.categories)
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION hospitals_count_doctors() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was uuid := CASE WHEN TG_OP <> 'INSERT' AND OLD.registration_status = 'verified' THEN OLD.hospital_id END;
  now_in uuid := CASE WHEN TG_OP <> 'DELETE' AND NEW.registration_status = 'verified' THEN NEW.hospital_id END;
  changed uuid[] := ARRAY[was, now_in];
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.registration_status, OLD.category) IS DISTINCT FROM (NEW.registration_status, NEW.category) THEN
    changed := changed || ARRAY(SELECT hospital_id FROM doctor_places WHERE doctor_id = NEW.id);
  ELSIF was IS NOT DISTINCT FROM now_in THEN
    RETURN NULL;
  END IF;
  changed := ARRAY(SELECT DISTINCT id FROM unnest(changed) AS of(id) WHERE id IS NOT NULL);
  IF cardinality(changed) > 0 THEN
    PERFORM FROM hospitals WHERE id = ANY (changed) ORDER BY id FOR NO KEY UPDATE;
    PERFORM recount_doctors_of(changed);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION practices_list_doctor() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed uuid[] := ARRAY[CASE WHEN TG_OP <> 'INSERT' THEN OLD.hospital_id END, CASE WHEN TG_OP <> 'DELETE' THEN NEW.hospital_id END];
BEGIN
  PERFORM FROM hospitals WHERE id = ANY (changed) ORDER BY id FOR NO KEY UPDATE;
  PERFORM refresh_doctor_places(ARRAY[CASE WHEN TG_OP = 'DELETE' THEN OLD.id ELSE NEW.id END]);
  PERFORM recount_doctors_of(ARRAY(SELECT DISTINCT id FROM unnest(changed) AS of(id) WHERE id IS NOT NULL));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER practices_opened AFTER INSERT ON practices FOR EACH ROW
  WHEN (NEW.hospital_id IS NOT NULL) EXECUTE FUNCTION practices_list_doctor();--> statement-breakpoint
CREATE TRIGGER practices_changed AFTER UPDATE OF state, hospital_id, fee ON practices FOR EACH ROW
  WHEN ((OLD.state, OLD.hospital_id, OLD.fee) IS DISTINCT FROM (NEW.state, NEW.hospital_id, NEW.fee)) EXECUTE FUNCTION practices_list_doctor();--> statement-breakpoint
CREATE TRIGGER practices_removed AFTER DELETE ON practices FOR EACH ROW
  WHEN (OLD.hospital_id IS NOT NULL) EXECUTE FUNCTION practices_list_doctor();--> statement-breakpoint
CREATE FUNCTION doctors_list_at_places() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_doctor_places(ARRAY(SELECT id FROM practices WHERE doctor_id = NEW.id AND hospital_id IS NOT NULL AND state = 'active'));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER doctors_changed_at_places AFTER UPDATE OF full_name, translations, primary_specialization, category, additional_specializations, consultation_fee
  ON doctors FOR EACH ROW
  WHEN ((OLD.full_name, OLD.translations, OLD.primary_specialization, OLD.category, OLD.additional_specializations, OLD.consultation_fee)
    IS DISTINCT FROM (NEW.full_name, NEW.translations, NEW.primary_specialization, NEW.category, NEW.additional_specializations, NEW.consultation_fee))
  EXECUTE FUNCTION doctors_list_at_places();--> statement-breakpoint
CREATE FUNCTION hospitals_list_doctors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_doctor_places(ARRAY(SELECT id FROM practices WHERE hospital_id = NEW.id AND state = 'active'));
  IF OLD.status <> NEW.status THEN
    PERFORM recount_doctors_of(ARRAY[NEW.id]);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER hospitals_changed_places AFTER UPDATE OF name, translations, area, city, latitude, longitude, status ON hospitals FOR EACH ROW
  WHEN ((OLD.name, OLD.translations, OLD.area, OLD.city, OLD.latitude, OLD.longitude, OLD.status)
    IS DISTINCT FROM (NEW.name, NEW.translations, NEW.area, NEW.city, NEW.latitude, NEW.longitude, NEW.status))
  EXECUTE FUNCTION hospitals_list_doctors();--> statement-breakpoint
SELECT refresh_doctor_places(ARRAY(SELECT id FROM practices WHERE hospital_id IS NOT NULL));--> statement-breakpoint
SELECT recount_doctors_of(ARRAY(SELECT DISTINCT hospital_id FROM doctor_places));
