ALTER TABLE "appointments" ADD COLUMN "hospital_id" uuid;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The place of an appointment is that of its practice when it is booked, or moved to another practice.
CREATE FUNCTION appointments_take_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT coalesce(p.hospital_id, d.hospital_id) INTO NEW.hospital_id
    FROM practices p JOIN doctors d ON d.id = p.doctor_id WHERE p.id = NEW.practice_id;
  RETURN NEW;
END $$;--> statement-breakpoint
-- After appointments_first_practice: triggers of one event run by name.
CREATE TRIGGER appointments_place BEFORE INSERT ON appointments FOR EACH ROW
  WHEN (NEW.hospital_id IS NULL) EXECUTE FUNCTION appointments_take_place();--> statement-breakpoint
CREATE TRIGGER appointments_place_again BEFORE UPDATE OF practice_id ON appointments FOR EACH ROW
  WHEN (OLD.practice_id <> NEW.practice_id) EXECUTE FUNCTION appointments_take_place();--> statement-breakpoint
-- The first practice is at the hospital of the profile. When that changes, the appointments to come are at the new one; earlier ones stay where they were.
CREATE FUNCTION doctors_move_appointments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE appointments SET hospital_id = NEW.hospital_id
    WHERE doctor_id = NEW.id AND practice_id = NEW.id AND status IN ('pending', 'accepted') AND (date + time) AT TIME ZONE 'Asia/Kolkata' > now();
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER doctors_appointments AFTER UPDATE OF hospital_id ON doctors FOR EACH ROW
  WHEN (OLD.hospital_id IS DISTINCT FROM NEW.hospital_id) EXECUTE FUNCTION doctors_move_appointments();--> statement-breakpoint
-- What was known until now.
UPDATE appointments a SET hospital_id = coalesce(p.hospital_id, d.hospital_id)
  FROM practices p JOIN doctors d ON d.id = p.doctor_id WHERE p.id = a.practice_id;
