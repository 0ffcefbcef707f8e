CREATE TABLE "server_keys" (
	"name" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "doctor_documents" ALTER COLUMN "file_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "doctors" ADD COLUMN "aadhaar_erased_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "doctor_documents" ADD COLUMN "erased_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "doctors" ADD CONSTRAINT "doctors_aadhaar_erased" CHECK ("doctors"."aadhaar_erased_at" is null or "doctors"."aadhaar_sealed" is null);--> statement-breakpoint
ALTER TABLE "doctor_documents" ADD CONSTRAINT "doctor_documents_file_or_erased" CHECK (("doctor_documents"."file_id" is null) = ("doctor_documents"."erased_at" is not null));