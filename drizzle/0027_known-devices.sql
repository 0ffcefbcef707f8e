ALTER TABLE "otp_challenges" ADD COLUMN "device" text;--> statement-breakpoint
ALTER TABLE "otp_challenges" ADD COLUMN "password_tries" integer DEFAULT 0 NOT NULL;