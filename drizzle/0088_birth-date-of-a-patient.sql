ALTER TABLE "appointments" ADD COLUMN "patient_birth_date" date;--> statement-breakpoint
ALTER TABLE "queue_entries" ADD COLUMN "birth_date" date;--> statement-breakpoint
ALTER TABLE "waitlist_entries" ADD COLUMN "patient_birth_date" date;