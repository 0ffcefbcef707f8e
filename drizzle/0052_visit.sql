CREATE TABLE "encounters" (
	"id" uuid PRIMARY KEY NOT NULL,
	"doctor_id" uuid NOT NULL,
	"practice_id" uuid NOT NULL,
	"patient_id" uuid,
	"appointment_id" uuid,
	"queue_entry_id" uuid,
	"date" date NOT NULL,
	"person_key" text NOT NULL,
	"patient" jsonb NOT NULL,
	"follow_up_on" date,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "encounters_id" CHECK ("encounters"."id" = coalesce("encounters"."appointment_id", "encounters"."queue_entry_id")),
	CONSTRAINT "encounters_of_one" CHECK (num_nonnulls("encounters"."appointment_id", "encounters"."queue_entry_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "medicine_favourites" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"doctor_id" uuid NOT NULL,
	"line" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "visit_documents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"encounter_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"replaces" uuid,
	"draft" jsonb,
	"version" integer DEFAULT 0 NOT NULL,
	"code" text,
	"data_key" text,
	"content" text,
	"sha256" text,
	"signature" text,
	"key_id" text,
	"signed_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "visit_documents_draft" CHECK (("visit_documents"."state" = 'draft') = ("visit_documents"."draft" is not null)),
	CONSTRAINT "visit_documents_signed" CHECK (num_nonnulls("visit_documents"."code", "visit_documents"."data_key", "visit_documents"."content", "visit_documents"."sha256", "visit_documents"."signature", "visit_documents"."key_id", "visit_documents"."signed_at") = case when "visit_documents"."state" in ('draft', 'discarded') then 0 else 7 end),
	CONSTRAINT "visit_documents_ended" CHECK (("visit_documents"."state" in ('superseded', 'cancelled', 'discarded')) = ("visit_documents"."ended_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "visit_notes" (
	"document_id" uuid PRIMARY KEY NOT NULL,
	"data_key" text NOT NULL,
	"content" jsonb NOT NULL,
	"signed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "encounters" ADD CONSTRAINT "encounters_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "encounters" ADD CONSTRAINT "encounters_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "encounters" ADD CONSTRAINT "encounters_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "encounters" ADD CONSTRAINT "encounters_queue_entry_id_queue_entries_id_fk" FOREIGN KEY ("queue_entry_id") REFERENCES "public"."queue_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "encounters" ADD CONSTRAINT "encounters_practice" FOREIGN KEY ("practice_id","doctor_id") REFERENCES "public"."practices"("id","doctor_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "medicine_favourites" ADD CONSTRAINT "medicine_favourites_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_documents" ADD CONSTRAINT "visit_documents_encounter_id_encounters_id_fk" FOREIGN KEY ("encounter_id") REFERENCES "public"."encounters"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_documents" ADD CONSTRAINT "visit_documents_replaces_visit_documents_id_fk" FOREIGN KEY ("replaces") REFERENCES "public"."visit_documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_notes" ADD CONSTRAINT "visit_notes_document_id_visit_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."visit_documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "encounters_person" ON "encounters" USING btree ("doctor_id","person_key","date");--> statement-breakpoint
CREATE INDEX "encounters_patient" ON "encounters" USING btree ("patient_id","date");--> statement-breakpoint
CREATE INDEX "medicine_favourites_doctor" ON "medicine_favourites" USING btree ("doctor_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "visit_documents_code" ON "visit_documents" USING btree ("code");--> statement-breakpoint
CREATE UNIQUE INDEX "visit_documents_one_draft" ON "visit_documents" USING btree ("encounter_id","kind") WHERE "visit_documents"."state" = 'draft';--> statement-breakpoint
CREATE UNIQUE INDEX "visit_documents_one_prescription" ON "visit_documents" USING btree ("encounter_id") WHERE "visit_documents"."state" = 'signed' and "visit_documents"."kind" = 'prescription';--> statement-breakpoint
CREATE UNIQUE INDEX "visit_documents_one_successor" ON "visit_documents" USING btree ("replaces") WHERE "visit_documents"."state" not in ('draft', 'discarded');--> statement-breakpoint
CREATE INDEX "visit_documents_encounter" ON "visit_documents" USING btree ("encounter_id","signed_at");