ALTER TABLE "appointments" ADD COLUMN "for_caller" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "patients" ADD COLUMN "unclaimed_since" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "patients_unclaimed" ON "patients" USING btree ("unclaimed_since") WHERE "patients"."unclaimed_since" is not null;