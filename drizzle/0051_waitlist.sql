CREATE TABLE "waitlist_entries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"number" bigserial NOT NULL,
	"patient_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"practice_id" uuid,
	"member_id" uuid,
	"appointment_id" uuid,
	"patient_name" text NOT NULL,
	"patient_phone" text NOT NULL,
	"patient_age" integer NOT NULL,
	"patient_gender" text NOT NULL,
	"from_date" date NOT NULL,
	"until_date" date NOT NULL,
	"parts" text[] DEFAULT '{}'::text[] NOT NULL,
	"sms" boolean DEFAULT true NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"lapses" smallint DEFAULT 0 NOT NULL,
	"end_reason" text,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "waitlist_entries_days" CHECK ("waitlist_entries"."from_date" <= "waitlist_entries"."until_date"),
	CONSTRAINT "waitlist_entries_age" CHECK ("waitlist_entries"."patient_age" between 1 and 120),
	CONSTRAINT "waitlist_entries_end" CHECK (("waitlist_entries"."state" = 'ended') = ("waitlist_entries"."end_reason" is not null))
);
--> statement-breakpoint
CREATE TABLE "waitlist_offers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"entry_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"practice_id" uuid NOT NULL,
	"date" date NOT NULL,
	"time" time NOT NULL,
	"chain" smallint DEFAULT 0 NOT NULL,
	"state" text DEFAULT 'offered' NOT NULL,
	"send_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"notified_at" timestamp with time zone,
	"decided_at" timestamp with time zone,
	"freed_date" date,
	"freed_time" time,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "waitlist_offers_time" CHECK ("waitlist_offers"."send_at" < "waitlist_offers"."ends_at")
);
--> statement-breakpoint
ALTER TABLE "slot_claims" ADD COLUMN "offer_id" uuid;--> statement-breakpoint
ALTER TABLE "waitlist_entries" ADD CONSTRAINT "waitlist_entries_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist_entries" ADD CONSTRAINT "waitlist_entries_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist_entries" ADD CONSTRAINT "waitlist_entries_practice_id_practices_id_fk" FOREIGN KEY ("practice_id") REFERENCES "public"."practices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist_entries" ADD CONSTRAINT "waitlist_entries_member_id_family_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."family_members"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist_entries" ADD CONSTRAINT "waitlist_entries_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist_offers" ADD CONSTRAINT "waitlist_offers_entry_id_waitlist_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."waitlist_entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist_offers" ADD CONSTRAINT "waitlist_offers_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist_offers" ADD CONSTRAINT "waitlist_offers_practice_id_practices_id_fk" FOREIGN KEY ("practice_id") REFERENCES "public"."practices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "waitlist_entries_live" ON "waitlist_entries" USING btree ("patient_id","doctor_id",lower("patient_name")) WHERE "waitlist_entries"."state" not in ('taken', 'ended');--> statement-breakpoint
CREATE INDEX "waitlist_entries_order" ON "waitlist_entries" USING btree ("doctor_id","number") WHERE "waitlist_entries"."state" not in ('taken', 'ended');--> statement-breakpoint
CREATE UNIQUE INDEX "waitlist_offers_live" ON "waitlist_offers" USING btree ("entry_id") WHERE "waitlist_offers"."state" = 'offered';--> statement-breakpoint
CREATE UNIQUE INDEX "waitlist_offers_once" ON "waitlist_offers" USING btree ("entry_id","date","time") WHERE "waitlist_offers"."state" <> 'withdrawn';--> statement-breakpoint
CREATE INDEX "waitlist_offers_doctor" ON "waitlist_offers" USING btree ("doctor_id","date");--> statement-breakpoint
ALTER TABLE "slot_claims" ADD CONSTRAINT "slot_claims_offer_id_waitlist_offers_id_fk" FOREIGN KEY ("offer_id") REFERENCES "public"."waitlist_offers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "slot_claims_offer" ON "slot_claims" USING btree ("offer_id");--> statement-breakpoint
ALTER TABLE "slot_claims" ADD CONSTRAINT "slot_claims_of_offer" CHECK (("slot_claims"."kind" = 'offer') = ("slot_claims"."offer_id" is not null));