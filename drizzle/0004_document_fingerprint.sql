ALTER TABLE "doctor_documents" ADD COLUMN "fingerprint" text;--> statement-breakpoint
CREATE UNIQUE INDEX "doctor_documents_same" ON "doctor_documents" USING btree ("doctor_id","kind","fingerprint");