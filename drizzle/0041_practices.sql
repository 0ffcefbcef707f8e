CREATE TABLE "slot_claims" (
	"doctor_id" uuid NOT NULL,
	"date" date NOT NULL,
	"time" time NOT NULL,
	"seat" smallint NOT NULL,
	"kind" text NOT NULL,
	"appointment_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "slot_claims_one_per_seat" PRIMARY KEY("doctor_id","date","time","seat"),
	CONSTRAINT "slot_claims_seat" CHECK ("slot_claims"."seat" between 1 and 10),
	CONSTRAINT "slot_claims_visit" CHECK (("slot_claims"."kind" = 'visit') = ("slot_claims"."appointment_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "leaves" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"doctor_id" uuid NOT NULL,
	"practice_id" uuid,
	"from" date NOT NULL,
	"until" date NOT NULL,
	"reason" text,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "leaves_order" CHECK ("leaves"."from" <= "leaves"."until")
);
--> statement-breakpoint
CREATE TABLE "practice_days" (
	"practice_id" uuid NOT NULL,
	"date" date NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "practice_days_pk" PRIMARY KEY("practice_id","date")
);
--> statement-breakpoint
CREATE TABLE "practice_hours" (
	"practice_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"weekday" smallint NOT NULL,
	"from" time NOT NULL,
	"until" time NOT NULL,
	CONSTRAINT "practice_hours_pk" PRIMARY KEY("practice_id","weekday","from"),
	CONSTRAINT "practice_hours_weekday" CHECK ("practice_hours"."weekday" between 0 and 6),
	CONSTRAINT "practice_hours_order" CHECK ("practice_hours"."from" < "practice_hours"."until")
);
--> statement-breakpoint
CREATE TABLE "practices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"doctor_id" uuid NOT NULL,
	"hospital_id" uuid,
	"fee" bigint,
	"slot_minutes" smallint DEFAULT 30 NOT NULL,
	"patients_per_slot" smallint DEFAULT 1 NOT NULL,
	"mode" text DEFAULT 'slots' NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "practices_of_doctor" UNIQUE("id","doctor_id"),
	CONSTRAINT "practices_first" CHECK (("practices"."id" = "practices"."doctor_id") = ("practices"."hospital_id" is null)),
	CONSTRAINT "practices_first_stays" CHECK ("practices"."id" <> "practices"."doctor_id" or "practices"."state" = 'active'),
	CONSTRAINT "practices_fee" CHECK ("practices"."fee" between 0 and 10000000),
	CONSTRAINT "practices_slot_minutes" CHECK ("practices"."slot_minutes" in (10, 15, 20, 30, 60)),
	CONSTRAINT "practices_patients_per_slot" CHECK ("practices"."patients_per_slot" between 1 and 10)
);
--> statement-breakpoint
-- Each doctor has a first practice with their own id, at the hospital and for the fee of their profile.
INSERT INTO "practices" ("id", "doctor_id") SELECT "id", "id" FROM "doctors";--> statement-breakpoint
INSERT INTO "slot_claims" ("doctor_id", "date", "time", "seat", "kind", "appointment_id", "created_at")
  SELECT "doctor_id", "date", "time", 1, 'visit', "id", "created_at" FROM "appointments" WHERE "status" <> 'cancelled';--> statement-breakpoint
DROP INDEX "appointments_one_per_slot";--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "practice_id" uuid DEFAULT null;--> statement-breakpoint
UPDATE "appointments" SET "practice_id" = "doctor_id";--> statement-breakpoint
ALTER TABLE "appointments" ALTER COLUMN "practice_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "minutes" smallint DEFAULT 30 NOT NULL;--> statement-breakpoint
ALTER TABLE "availability_slots" ADD COLUMN "practice_id" uuid DEFAULT null;--> statement-breakpoint
UPDATE "availability_slots" SET "practice_id" = "doctor_id";--> statement-breakpoint
ALTER TABLE "availability_slots" ALTER COLUMN "practice_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "availability_slots" ADD COLUMN "minutes" smallint DEFAULT 30 NOT NULL;--> statement-breakpoint
ALTER TABLE "availability_slots" ADD COLUMN "seats" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "availability_slots" ADD COLUMN "from_hours" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "slot_claims" ADD CONSTRAINT "slot_claims_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slot_claims" ADD CONSTRAINT "slot_claims_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leaves" ADD CONSTRAINT "leaves_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leaves" ADD CONSTRAINT "leaves_practice_id_practices_id_fk" FOREIGN KEY ("practice_id") REFERENCES "public"."practices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_days" ADD CONSTRAINT "practice_days_practice_id_practices_id_fk" FOREIGN KEY ("practice_id") REFERENCES "public"."practices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_hours" ADD CONSTRAINT "practice_hours_practice_id_practices_id_fk" FOREIGN KEY ("practice_id") REFERENCES "public"."practices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_hours" ADD CONSTRAINT "practice_hours_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practices" ADD CONSTRAINT "practices_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practices" ADD CONSTRAINT "practices_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "slot_claims_appointment" ON "slot_claims" USING btree ("appointment_id");--> statement-breakpoint
CREATE INDEX "leaves_doctor" ON "leaves" USING btree ("doctor_id","until") WHERE "leaves"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "practices_once_per_place" ON "practices" USING btree ("doctor_id","hospital_id") WHERE "practices"."state" <> 'closed';--> statement-breakpoint
CREATE INDEX "practices_place" ON "practices" USING btree ("hospital_id") WHERE "practices"."state" <> 'closed';--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_practice" FOREIGN KEY ("practice_id","doctor_id") REFERENCES "public"."practices"("id","doctor_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "availability_slots" ADD CONSTRAINT "availability_slots_practice" FOREIGN KEY ("practice_id","doctor_id") REFERENCES "public"."practices"("id","doctor_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "appointments_once_per_patient" ON "appointments" USING btree ("doctor_id","date","time","patient_id","patient_name") WHERE "appointments"."status" in ('pending', 'accepted');--> statement-breakpoint
ALTER TABLE "availability_slots" ADD CONSTRAINT "availability_slots_minutes" CHECK ("availability_slots"."minutes" between 5 and 240);--> statement-breakpoint
ALTER TABLE "availability_slots" ADD CONSTRAINT "availability_slots_seats" CHECK ("availability_slots"."seats" between 1 and 10);