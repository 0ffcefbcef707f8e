CREATE TABLE "short_names" (
	"kind" text NOT NULL,
	"slug" text NOT NULL,
	"hospital_id" uuid,
	"doctor_id" uuid,
	"is_current" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "short_names_pk" PRIMARY KEY("kind","slug"),
	CONSTRAINT "short_names_subject" CHECK (("short_names"."kind" = 'hospital') = ("short_names"."hospital_id" is not null) and ("short_names"."kind" = 'doctor') = ("short_names"."doctor_id" is not null)),
	CONSTRAINT "short_names_slug" CHECK ("short_names"."slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length("short_names"."slug") <= 80)
);
--> statement-breakpoint
ALTER TABLE "hospitals" ADD COLUMN "embed_origins" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "short_names" ADD CONSTRAINT "short_names_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "short_names" ADD CONSTRAINT "short_names_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "short_names_current_hospital" ON "short_names" USING btree ("hospital_id") WHERE "short_names"."is_current";--> statement-breakpoint
CREATE UNIQUE INDEX "short_names_current_doctor" ON "short_names" USING btree ("doctor_id") WHERE "short_names"."is_current";--> statement-breakpoint
CREATE INDEX "short_names_hospital" ON "short_names" USING btree ("hospital_id");--> statement-breakpoint
CREATE INDEX "short_names_doctor" ON "short_names" USING btree ("doctor_id");