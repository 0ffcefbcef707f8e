CREATE TABLE "queue_entries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"session_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"appointment_id" uuid,
	"patient_id" uuid,
	"name" text NOT NULL,
	"phone" text NOT NULL,
	"person_key" text,
	"age" smallint,
	"gender" text,
	"priority" text DEFAULT 'normal' NOT NULL,
	"state" text NOT NULL,
	"code" text NOT NULL,
	"form_key" text,
	"due_at" timestamp with time zone NOT NULL,
	"call_number" integer,
	"returned_at_call" integer,
	"arrived_at" timestamp with time zone,
	"called_at" timestamp with time zone,
	"with_doctor_at" timestamp with time zone,
	"done_at" timestamp with time zone,
	"skipped_at" timestamp with time zone,
	"left_at" timestamp with time zone,
	"no_show_at" timestamp with time zone,
	"estimate_low_at" timestamp with time zone,
	"estimate_high_at" timestamp with time zone,
	"travel_minutes" smallint,
	"soon_sms_at" timestamp with time zone,
	"late_sms_at" timestamp with time zone,
	"sms_stopped" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "queue_entries_number" UNIQUE("session_id","number"),
	CONSTRAINT "queue_entries_code" UNIQUE("code"),
	CONSTRAINT "queue_entries_appointment" CHECK ("queue_entries"."kind" <> 'booked' or "queue_entries"."appointment_id" is not null),
	CONSTRAINT "queue_entries_age" CHECK ("queue_entries"."age" between 0 and 120),
	CONSTRAINT "queue_entries_travel" CHECK ("queue_entries"."travel_minutes" between 0 and 240)
);
--> statement-breakpoint
CREATE TABLE "queue_sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"practice_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"date" date NOT NULL,
	"part" text NOT NULL,
	"state" text DEFAULT 'planned' NOT NULL,
	"starts_at" time NOT NULL,
	"ends_at" time NOT NULL,
	"last_number" integer DEFAULT 0 NOT NULL,
	"calls" integer DEFAULT 0 NOT NULL,
	"seats" smallint,
	"late_minutes" smallint DEFAULT 0 NOT NULL,
	"doctor_in_at" timestamp with time zone,
	"paused_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "queue_sessions_once" UNIQUE("practice_id","date","part"),
	CONSTRAINT "queue_sessions_last_number" CHECK ("queue_sessions"."last_number" >= 0 and "queue_sessions"."calls" >= 0),
	CONSTRAINT "queue_sessions_late" CHECK ("queue_sessions"."late_minutes" between 0 and 480),
	CONSTRAINT "queue_sessions_seats" CHECK ("queue_sessions"."seats" between 1 and 500)
);
--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "no_show_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "queue_entries" ADD CONSTRAINT "queue_entries_session_id_queue_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."queue_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_entries" ADD CONSTRAINT "queue_entries_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_entries" ADD CONSTRAINT "queue_entries_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_sessions" ADD CONSTRAINT "queue_sessions_practice" FOREIGN KEY ("practice_id","doctor_id") REFERENCES "public"."practices"("id","doctor_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "queue_entries_form" ON "queue_entries" USING btree ("session_id","form_key");--> statement-breakpoint
CREATE UNIQUE INDEX "queue_entries_one_per_person" ON "queue_entries" USING btree ("session_id","person_key") WHERE "queue_entries"."state" in ('expected', 'arrived', 'called', 'with-doctor', 'skipped');--> statement-breakpoint
CREATE UNIQUE INDEX "queue_entries_one_per_appointment" ON "queue_entries" USING btree ("appointment_id") WHERE "queue_entries"."state" in ('expected', 'arrived', 'called', 'with-doctor', 'skipped');--> statement-breakpoint
CREATE UNIQUE INDEX "queue_entries_one_with_doctor" ON "queue_entries" USING btree ("session_id") WHERE "queue_entries"."state" = 'with-doctor';--> statement-breakpoint
CREATE INDEX "queue_entries_patient" ON "queue_entries" USING btree ("patient_id");--> statement-breakpoint
CREATE INDEX "queue_sessions_doctor" ON "queue_sessions" USING btree ("doctor_id","date");