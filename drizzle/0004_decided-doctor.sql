ALTER TABLE "import_rows" ADD COLUMN "doctor_name" text;--> statement-breakpoint
ALTER TABLE "import_rows" ADD COLUMN "decided_doctor_id" uuid;--> statement-breakpoint
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_decided_doctor_id_doctors_id_fk" FOREIGN KEY ("decided_doctor_id") REFERENCES "public"."doctors"("id") ON DELETE no action ON UPDATE no action;