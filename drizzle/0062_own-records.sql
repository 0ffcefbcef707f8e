CREATE TABLE "own_records" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"patient_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"person_key" text NOT NULL,
	"person_name" text NOT NULL,
	"record_type" text NOT NULL,
	"description" text NOT NULL,
	"date" date NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "own_records" ADD CONSTRAINT "own_records_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "own_records" ADD CONSTRAINT "own_records_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "own_records_patient" ON "own_records" USING btree ("patient_id","date");--> statement-breakpoint
CREATE UNIQUE INDEX "own_records_file" ON "own_records" USING btree ("file_id");