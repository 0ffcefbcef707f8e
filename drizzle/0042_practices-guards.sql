-- Custom SQL migration file. Practices: one place at a time, a first practice for each doctor, and what takes a time.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS btree_gist;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE EXCEPTION 'The database lacks the extension btree_gist'
    USING HINT = 'Have an administrator run "CREATE EXTENSION btree_gist" in this database once, then start again.';
END $$;--> statement-breakpoint
-- A doctor is in one place at a time.
ALTER TABLE availability_slots ADD CONSTRAINT availability_one_place_at_a_time EXCLUDE USING gist (
  doctor_id WITH =, practice_id WITH <>, tsrange(date + time, date + time + make_interval(mins => minutes::int)) WITH &&);--> statement-breakpoint
ALTER TABLE practice_hours ADD CONSTRAINT practice_hours_one_place_at_a_time EXCLUDE USING gist (
  doctor_id WITH =, weekday WITH =, int4range((extract(epoch FROM "from") / 60)::int, (extract(epoch FROM "until") / 60)::int) WITH &&);--> statement-breakpoint
CREATE FUNCTION doctors_open_first_practice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO practices (id, doctor_id) SELECT id, id FROM added;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER doctors_first_practice AFTER INSERT ON doctors REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION doctors_open_first_practice();--> statement-breakpoint
CREATE FUNCTION first_practice_by_default() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.practice_id := NEW.doctor_id;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER slots_first_practice BEFORE INSERT ON availability_slots FOR EACH ROW
  WHEN (NEW.practice_id IS NULL) EXECUTE FUNCTION first_practice_by_default();--> statement-breakpoint
CREATE TRIGGER appointments_first_practice BEFORE INSERT ON appointments FOR EACH ROW
  WHEN (NEW.practice_id IS NULL) EXECUTE FUNCTION first_practice_by_default();--> statement-breakpoint
-- Takes the lowest free seat of the time. An insert that meets a transaction under way waits for it, so two can never take one seat.
CREATE FUNCTION appointments_claim_seat() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  offered int;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM slot_claims WHERE appointment_id = NEW.id;
  END IF;
  IF NEW.status = 'cancelled' THEN
    RETURN NULL;
  END IF;
  SELECT seats INTO offered FROM availability_slots WHERE doctor_id = NEW.doctor_id AND date = NEW.date AND time = NEW.time;
  FOR free IN 1..coalesce(offered, 1) LOOP
    INSERT INTO slot_claims (doctor_id, date, time, seat, kind, appointment_id, created_at)
      VALUES (NEW.doctor_id, NEW.date, NEW.time, free, 'visit', NEW.id, NEW.updated_at) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      RETURN NULL;
    END IF;
  END LOOP;
  RAISE unique_violation USING MESSAGE = 'all seats of this time are taken', CONSTRAINT = 'slot_claims_one_per_seat', TABLE = 'slot_claims';
END $$;--> statement-breakpoint
CREATE TRIGGER appointments_claim AFTER INSERT ON appointments FOR EACH ROW EXECUTE FUNCTION appointments_claim_seat();--> statement-breakpoint
CREATE TRIGGER appointments_claim_again AFTER UPDATE OF status, doctor_id, date, time ON appointments FOR EACH ROW
  WHEN ((OLD.status = 'cancelled') <> (NEW.status = 'cancelled') OR (OLD.doctor_id, OLD.date, OLD.time) IS DISTINCT FROM (NEW.doctor_id, NEW.date, NEW.time))
  EXECUTE FUNCTION appointments_claim_seat();
