CREATE TABLE "record_shares" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"patient_id" uuid,
	"person_key" text,
	"document_id" uuid,
	"own_record_id" uuid,
	"medical_record_id" uuid,
	"secret_hash" text NOT NULL,
	"shows_name" boolean DEFAULT false NOT NULL,
	"most" integer NOT NULL,
	"opened" integer DEFAULT 0 NOT NULL,
	"last_opened_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "record_shares_of_one" CHECK (num_nonnulls("record_shares"."document_id", "record_shares"."own_record_id", "record_shares"."medical_record_id") = 1),
	CONSTRAINT "record_shares_of_patient" CHECK (("record_shares"."patient_id" is null) = ("record_shares"."person_key" is null) and ("record_shares"."patient_id" is not null or "record_shares"."document_id" is not null)),
	CONSTRAINT "record_shares_opened" CHECK ("record_shares"."most" between 1 and 50 and "record_shares"."opened" between 0 and "record_shares"."most"),
	CONSTRAINT "record_shares_last" CHECK (("record_shares"."opened" = 0) = ("record_shares"."last_opened_at" is null)),
	CONSTRAINT "record_shares_expires" CHECK ("record_shares"."expires_at" > "record_shares"."created_at" and "record_shares"."expires_at" <= "record_shares"."created_at" + interval '31 days'),
	CONSTRAINT "record_shares_ended" CHECK ("record_shares"."ended_at" >= "record_shares"."created_at")
);
--> statement-breakpoint
ALTER TABLE "record_shares" ADD CONSTRAINT "record_shares_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_shares" ADD CONSTRAINT "record_shares_document_id_visit_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."visit_documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_shares" ADD CONSTRAINT "record_shares_own_record_id_own_records_id_fk" FOREIGN KEY ("own_record_id") REFERENCES "public"."own_records"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_shares" ADD CONSTRAINT "record_shares_medical_record_id_medical_records_id_fk" FOREIGN KEY ("medical_record_id") REFERENCES "public"."medical_records"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "record_shares_secret" ON "record_shares" USING btree ("secret_hash");--> statement-breakpoint
CREATE INDEX "record_shares_patient" ON "record_shares" USING btree ("patient_id","created_at");--> statement-breakpoint
CREATE INDEX "record_shares_document" ON "record_shares" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "record_shares_own" ON "record_shares" USING btree ("own_record_id");--> statement-breakpoint
CREATE INDEX "record_shares_medical" ON "record_shares" USING btree ("medical_record_id");