CREATE TABLE "record_permissions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"patient_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"person_key" text NOT NULL,
	"person_name" text NOT NULL,
	"allowed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"until" date NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "record_permissions_until" CHECK ("record_permissions"."until" between ("record_permissions"."allowed_at" at time zone 'Asia/Kolkata')::date and ("record_permissions"."allowed_at" at time zone 'Asia/Kolkata')::date + 366),
	CONSTRAINT "record_permissions_ended" CHECK ("record_permissions"."ended_at" >= "record_permissions"."allowed_at")
);
--> statement-breakpoint
ALTER TABLE "record_permissions" ADD CONSTRAINT "record_permissions_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_permissions" ADD CONSTRAINT "record_permissions_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "record_permissions_one" ON "record_permissions" USING btree ("patient_id","person_key","doctor_id");--> statement-breakpoint
CREATE INDEX "record_permissions_doctor" ON "record_permissions" USING btree ("doctor_id","patient_id");