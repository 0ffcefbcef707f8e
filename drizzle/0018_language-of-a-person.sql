ALTER TABLE "users" RENAME COLUMN "locale" TO "language";--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "language" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "language" DROP NOT NULL;--> statement-breakpoint
-- The default was nobody's choice.
UPDATE "users" SET "language" = NULL;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_language" CHECK ("users"."language" in ('en', 'te', 'hi'));
