CREATE TABLE "family_members" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"patient_id" uuid NOT NULL,
	"name" text NOT NULL,
	"relation" text NOT NULL,
	"gender" text NOT NULL,
	"blood_group" text,
	"date_of_birth" date,
	"age" integer,
	"age_on" date,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "family_members_age" CHECK (num_nonnulls("family_members"."date_of_birth", "family_members"."age") = 1 and ("family_members"."age" is null) = ("family_members"."age_on" is null)),
	CONSTRAINT "family_members_age_range" CHECK ("family_members"."age" is null or "family_members"."age" between 0 and 120)
);
--> statement-breakpoint
ALTER TABLE "family_members" ADD CONSTRAINT "family_members_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "family_members_person" ON "family_members" USING btree ("patient_id",lower("name"),"relation");