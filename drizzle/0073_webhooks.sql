CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_id" bigint,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"status" smallint,
	"error" text,
	"tried_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_deliveries_once" UNIQUE("endpoint_id","event_id"),
	CONSTRAINT "webhook_deliveries_next" CHECK (("webhook_deliveries"."state" = 'waiting') = ("webhook_deliveries"."next_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"hospital_id" uuid NOT NULL,
	"url" text NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"subjects" text[] NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_until" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_endpoints_previous" CHECK (("webhook_endpoints"."previous_secret" is null) = ("webhook_endpoints"."previous_until" is null)),
	CONSTRAINT "webhook_endpoints_url" CHECK (length("webhook_endpoints"."url") <= 500 and "webhook_endpoints"."url" ~ '^https?://')
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("endpoint_id","next_at") WHERE "webhook_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_list" ON "webhook_deliveries" USING btree ("endpoint_id","created_at");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_place" ON "webhook_endpoints" USING btree ("hospital_id","state");
--> statement-breakpoint
-- The places that an event concerns. An appointment, its queue entry and its payment belong to the place of the practice, other events of a
-- doctor to each place where the doctor works. Only places that the doctor has accepted, and that accepted the doctor, count.
CREATE FUNCTION webhook_places(e domain_events) RETURNS SETOF uuid LANGUAGE plpgsql STABLE AS $$
DECLARE
  practice uuid;
BEGIN
  IF e.subject_kind IN ('membership', 'place-doctor') THEN
    RETURN QUERY SELECT e.hospital_id WHERE e.hospital_id IS NOT NULL;
    RETURN;
  END IF;
  CASE e.subject_kind
    WHEN 'appointment' THEN SELECT practice_id INTO practice FROM appointments WHERE id = e.subject_id;
    WHEN 'proposal' THEN
      SELECT a.practice_id INTO practice FROM appointment_proposals p JOIN appointments a ON a.id = p.appointment_id WHERE p.id = e.subject_id;
    WHEN 'review' THEN
      SELECT a.practice_id INTO practice FROM reviews r JOIN appointments a ON a.id = r.appointment_id WHERE r.id = e.subject_id;
    WHEN 'payment' THEN
      SELECT a.practice_id INTO practice FROM payments p JOIN appointments a ON a.id = p.appointment_id WHERE p.id = e.subject_id;
    WHEN 'payment-order' THEN
      SELECT a.practice_id INTO practice FROM payment_orders o JOIN appointments a ON a.id = o.appointment_id WHERE o.id = e.subject_id;
    WHEN 'provider-refund' THEN
      SELECT a.practice_id INTO practice FROM refunds r JOIN payments p ON p.id = r.payment_id
        JOIN appointments a ON a.id = p.appointment_id WHERE r.id = e.subject_id;
    WHEN 'queue-session' THEN SELECT practice_id INTO practice FROM queue_sessions WHERE id = e.subject_id;
    WHEN 'queue-entry' THEN
      SELECT s.practice_id INTO practice FROM queue_entries q JOIN queue_sessions s ON s.id = q.session_id WHERE q.id = e.subject_id;
    WHEN 'visit-document' THEN
      SELECT n.practice_id INTO practice FROM visit_documents d JOIN encounters n ON n.id = d.encounter_id WHERE d.id = e.subject_id;
    WHEN 'waitlist' THEN SELECT practice_id INTO practice FROM waitlist_entries WHERE id = e.subject_id;
    WHEN 'practice' THEN practice := e.subject_id;
    ELSE practice := NULL;
  END CASE;
  RETURN QUERY SELECT pd.hospital_id FROM place_doctors pd
    WHERE pd.doctor_id = e.doctor_id AND pd.state = 'active' AND (practice IS NULL OR pd.hospital_id = (
      SELECT coalesce(p.hospital_id, d.hospital_id) FROM practices p JOIN doctors d ON d.id = p.doctor_id WHERE p.id = practice));
END $$;
--> statement-breakpoint
-- Records a delivery for each endpoint, in the transaction of the change, and wakes the workers after its commit.
CREATE FUNCTION record_webhook_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM webhook_endpoints) THEN
    RETURN NULL;
  END IF;
  INSERT INTO webhook_deliveries (endpoint_id, event_id, next_at, created_at)
    SELECT w.id, NEW.id, NEW.at, NEW.at FROM webhook_endpoints w
    WHERE w.hospital_id IN (SELECT webhook_places(NEW)) AND w.state <> 'disabled' AND NEW.subject_kind = ANY (w.subjects)
    ON CONFLICT DO NOTHING;
  IF FOUND THEN
    INSERT INTO live_events (channel, payload) VALUES ('nadi_jobs', 'webhook-events');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER domain_events_webhooks AFTER INSERT ON domain_events FOR EACH ROW EXECUTE FUNCTION record_webhook_deliveries();
