CREATE TABLE "favourites" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"patient_id" uuid NOT NULL,
	"doctor_id" uuid,
	"hospital_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "favourites_one" CHECK (num_nonnulls("favourites"."doctor_id", "favourites"."hospital_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "doctors" ADD COLUMN "rating_sum" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "doctors" ADD COLUMN "rating_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "hospitals" ADD COLUMN "rating_sum" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "hospitals" ADD COLUMN "rating_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "patients" ADD COLUMN "latitude" double precision;--> statement-breakpoint
ALTER TABLE "patients" ADD COLUMN "longitude" double precision;--> statement-breakpoint
ALTER TABLE "patients" ADD COLUMN "accuracy" integer;--> statement-breakpoint
ALTER TABLE "patients" ADD COLUMN "place_source" text;--> statement-breakpoint
ALTER TABLE "favourites" ADD CONSTRAINT "favourites_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favourites" ADD CONSTRAINT "favourites_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favourites" ADD CONSTRAINT "favourites_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "favourites_doctor" ON "favourites" USING btree ("patient_id","doctor_id") WHERE "favourites"."doctor_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "favourites_hospital" ON "favourites" USING btree ("patient_id","hospital_id") WHERE "favourites"."hospital_id" is not null;--> statement-breakpoint
CREATE INDEX "favourites_doctor_of" ON "favourites" USING btree ("doctor_id");--> statement-breakpoint
CREATE INDEX "favourites_hospital_of" ON "favourites" USING btree ("hospital_id");