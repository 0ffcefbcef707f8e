-- Custom SQL migration file. Gives each listed hospital and doctor a short name, made from name and town.
CREATE FUNCTION short_name_of(words text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT trim(BOTH '-' FROM left(trim(BOTH '-' FROM regexp_replace(
    regexp_replace(normalize(lower(words), NFD), '[\u0300-\u036f]', '', 'g'), '[^a-z0-9]+', '-', 'g')), 60))
$$;--> statement-breakpoint
-- The second and third of a name get a number, further ones a part of their id, so that many equal names cost three tries.
CREATE FUNCTION give_short_name(of_kind text, of_id uuid, words text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  base text := coalesce(nullif(short_name_of(words), ''), of_kind);
  tried text;
  n int := 1;
BEGIN
  LOOP
    tried := CASE WHEN n = 1 THEN base WHEN n <= 3 THEN base || '-' || n ELSE base || '-' || left(md5(of_id::text || n), 8) END;
    INSERT INTO short_names (kind, slug, hospital_id, doctor_id)
      VALUES (of_kind, tried, CASE WHEN of_kind = 'hospital' THEN of_id END, CASE WHEN of_kind = 'doctor' THEN of_id END)
      ON CONFLICT (kind, slug) DO NOTHING;
    EXIT WHEN FOUND;
    n := n + 1;
  END LOOP;
END $$;--> statement-breakpoint
CREATE FUNCTION hospitals_short_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM short_names WHERE hospital_id = NEW.id) THEN
    PERFORM give_short_name('hospital', NEW.id, NEW.name || ' ' || NEW.city);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER hospitals_short_name_made AFTER INSERT ON hospitals FOR EACH ROW
  WHEN (NEW.status = 'active') EXECUTE FUNCTION hospitals_short_name();--> statement-breakpoint
CREATE TRIGGER hospitals_short_name_listed AFTER UPDATE OF status ON hospitals FOR EACH ROW
  WHEN (NEW.status = 'active' AND OLD.status <> 'active') EXECUTE FUNCTION hospitals_short_name();--> statement-breakpoint
CREATE FUNCTION doctors_short_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM short_names WHERE doctor_id = NEW.id) THEN
    PERFORM give_short_name('doctor', NEW.id, NEW.full_name || ' ' || NEW.city);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER doctors_short_name_made AFTER INSERT ON doctors FOR EACH ROW
  WHEN (NEW.registration_status = 'verified') EXECUTE FUNCTION doctors_short_name();--> statement-breakpoint
CREATE TRIGGER doctors_short_name_listed AFTER UPDATE OF registration_status ON doctors FOR EACH ROW
  WHEN (NEW.registration_status = 'verified' AND OLD.registration_status <> 'verified') EXECUTE FUNCTION doctors_short_name();--> statement-breakpoint
SELECT give_short_name('hospital', id, name || ' ' || city) FROM hospitals WHERE status = 'active' ORDER BY created_at, id;--> statement-breakpoint
SELECT give_short_name('doctor', id, full_name || ' ' || city) FROM doctors WHERE registration_status = 'verified' ORDER BY created_at, id;
