CREATE TABLE "place_links" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"hospital_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"key_hash" text NOT NULL,
	"key" text NOT NULL,
	"allows_walk_ins" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "place_links_once" UNIQUE("hospital_id","kind"),
	CONSTRAINT "place_links_key" UNIQUE("key_hash")
);
--> statement-breakpoint
ALTER TABLE "place_links" ADD CONSTRAINT "place_links_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE cascade ON UPDATE no action;