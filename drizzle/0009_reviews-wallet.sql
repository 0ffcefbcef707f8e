CREATE TABLE "review_reports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"review_id" uuid NOT NULL,
	"reporter_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"note" text,
	"decided_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"appointment_id" uuid NOT NULL,
	"patient_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"hospital_id" uuid,
	"status" text DEFAULT 'shown' NOT NULL,
	"rating" integer,
	"words" text,
	"hidden_reason" text,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	"edited_at" timestamp with time zone,
	"is_demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reviews_rating" CHECK (("reviews"."status" = 'withdrawn') = ("reviews"."rating" is null) and "reviews"."rating" between 1 and 5),
	CONSTRAINT "reviews_withdrawn" CHECK ("reviews"."status" <> 'withdrawn' or "reviews"."words" is null)
);
--> statement-breakpoint
CREATE TABLE "wallet_codes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"patient_id" uuid NOT NULL,
	"offer" text NOT NULL,
	"code" text NOT NULL,
	"entry_id" bigint NOT NULL,
	"appointment_id" uuid,
	"applied_at" timestamp with time zone,
	"idempotency_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_entries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"patient_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"about" text NOT NULL,
	"points" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "wallet_entries_sign" CHECK ("wallet_entries"."points" <> 0 and ("wallet_entries"."kind" = 'offer') = ("wallet_entries"."points" < 0))
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"patient_id" uuid PRIMARY KEY NOT NULL,
	"balance" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "wallets_not_negative" CHECK ("wallets"."balance" >= 0)
);
--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "discount" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "review_reports" ADD CONSTRAINT "review_reports_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_reports" ADD CONSTRAINT "review_reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_codes" ADD CONSTRAINT "wallet_codes_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_codes" ADD CONSTRAINT "wallet_codes_entry_id_wallet_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."wallet_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_codes" ADD CONSTRAINT "wallet_codes_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_entries" ADD CONSTRAINT "wallet_entries_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "review_reports_once" ON "review_reports" USING btree ("review_id","reporter_id");--> statement-breakpoint
CREATE INDEX "review_reports_reporter" ON "review_reports" USING btree ("reporter_id");--> statement-breakpoint
CREATE INDEX "review_reports_open" ON "review_reports" USING btree ("review_id","created_at") WHERE "review_reports"."decided_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_appointment" ON "reviews" USING btree ("appointment_id");--> statement-breakpoint
CREATE INDEX "reviews_doctor" ON "reviews" USING btree ("doctor_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "reviews_hospital" ON "reviews" USING btree ("hospital_id","status");--> statement-breakpoint
CREATE INDEX "reviews_patient" ON "reviews" USING btree ("patient_id");--> statement-breakpoint
CREATE INDEX "reviews_status" ON "reviews" USING btree ("status","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_codes_code" ON "wallet_codes" USING btree ("code");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_codes_entry" ON "wallet_codes" USING btree ("entry_id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_codes_appointment" ON "wallet_codes" USING btree ("appointment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_codes_idempotency" ON "wallet_codes" USING btree ("patient_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "wallet_codes_ready" ON "wallet_codes" USING btree ("patient_id","created_at") WHERE "wallet_codes"."appointment_id" is null;--> statement-breakpoint
CREATE INDEX "wallet_entries_patient" ON "wallet_entries" USING btree ("patient_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_entries_mission_once" ON "wallet_entries" USING btree ("patient_id","about") WHERE "wallet_entries"."kind" = 'mission';--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_discount" CHECK ("appointments"."discount" between 0 and coalesce("appointments"."fee", 0));