ALTER TABLE "doctors" ADD COLUMN "portrait" text;--> statement-breakpoint
ALTER TABLE "doctors" ADD COLUMN "translations" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "hospitals" ADD COLUMN "access" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "hospitals" ADD COLUMN "translations" jsonb DEFAULT '{}'::jsonb NOT NULL;