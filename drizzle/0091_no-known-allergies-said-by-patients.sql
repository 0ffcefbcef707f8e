ALTER TABLE "family_members" ADD COLUMN "no_allergies_on" text;--> statement-breakpoint
ALTER TABLE "patients" ADD COLUMN "no_allergies_on" text;