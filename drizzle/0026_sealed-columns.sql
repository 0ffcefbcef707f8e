CREATE TABLE "sealing_progress" (
	"part" text PRIMARY KEY NOT NULL,
	"after" text[],
	"count" integer DEFAULT 0 NOT NULL,
	"finished_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "booking_drafts" ADD COLUMN "file_ids" uuid[] DEFAULT '{}'::uuid[] NOT NULL;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "data_key" text;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "sealed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "files_plain" ON "files" USING btree ("id") WHERE not "files"."sealed";