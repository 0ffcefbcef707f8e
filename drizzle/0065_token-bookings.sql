ALTER TABLE "availability_slots" DROP CONSTRAINT "availability_slots_minutes";--> statement-breakpoint
ALTER TABLE "availability_slots" DROP CONSTRAINT "availability_slots_seats";--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "queue_session_id" uuid;--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "token" integer;--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "expected_time" time;--> statement-breakpoint
ALTER TABLE "availability_slots" ADD COLUMN "tokens" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "practices" ADD COLUMN "seats_per_session" smallint DEFAULT 30 NOT NULL;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_queue_session_id_queue_sessions_id_fk" FOREIGN KEY ("queue_session_id") REFERENCES "public"."queue_sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "appointments_tokens" ON "appointments" USING btree ("doctor_id","date","time") WHERE "appointments"."queue_session_id" is not null and "appointments"."status" <> 'cancelled';--> statement-breakpoint
CREATE INDEX "appointments_session" ON "appointments" USING btree ("queue_session_id") WHERE "appointments"."queue_session_id" is not null;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_token" CHECK (("appointments"."queue_session_id" is null) = ("appointments"."token" is null) and ("appointments"."token" is null) = ("appointments"."expected_time" is null));--> statement-breakpoint
ALTER TABLE "availability_slots" ADD CONSTRAINT "availability_slots_minutes" CHECK ("availability_slots"."minutes" between 5 and case when "availability_slots"."tokens" then 1440 else 240 end);--> statement-breakpoint
ALTER TABLE "availability_slots" ADD CONSTRAINT "availability_slots_seats" CHECK ("availability_slots"."seats" between 1 and case when "availability_slots"."tokens" then 500 else 10 end);--> statement-breakpoint
ALTER TABLE "practices" ADD CONSTRAINT "practices_seats_per_session" CHECK ("practices"."seats_per_session" between 1 and 500);--> statement-breakpoint
-- Takes the lowest free seat of the time. An insert that meets a transaction under way waits for it, so two can never take one seat. A token takes no
-- claim: the seats of its session limit it, counted under the lock of the session.
CREATE OR REPLACE FUNCTION appointments_claim_seat() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  offered int;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM slot_claims WHERE appointment_id = NEW.id;
  END IF;
  IF NEW.status = 'cancelled' THEN
    RETURN NULL;
  END IF;
  IF NEW.queue_session_id IS NOT NULL THEN
    SELECT seats INTO offered FROM queue_sessions WHERE id = NEW.queue_session_id FOR NO KEY UPDATE;
    IF (SELECT count(*) FROM appointments WHERE queue_session_id = NEW.queue_session_id AND status <> 'cancelled') > coalesce(offered, 0) THEN
      RAISE unique_violation USING MESSAGE = 'all tokens of this session are taken', CONSTRAINT = 'queue_sessions_seats_taken', TABLE = 'appointments';
    END IF;
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
DROP TRIGGER appointments_claim_again ON appointments;--> statement-breakpoint
CREATE TRIGGER appointments_claim_again AFTER UPDATE OF status, doctor_id, date, time, queue_session_id ON appointments FOR EACH ROW
  WHEN ((OLD.status = 'cancelled') <> (NEW.status = 'cancelled')
    OR (OLD.doctor_id, OLD.date, OLD.time, OLD.queue_session_id) IS DISTINCT FROM (NEW.doctor_id, NEW.date, NEW.time, NEW.queue_session_id))
  EXECUTE FUNCTION appointments_claim_seat();
