CREATE TABLE "appointment_proposals" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"appointment_id" uuid NOT NULL,
	"options" jsonb NOT NULL,
	"away_reason" text,
	"state" text DEFAULT 'proposed' NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "appointment_proposals_ended" CHECK (("appointment_proposals"."state" = 'proposed') = ("appointment_proposals"."ended_at" is null)),
	CONSTRAINT "appointment_proposals_options" CHECK (jsonb_array_length("appointment_proposals"."options") between 1 and 3)
);
--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "cancel_note" text;--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "moved_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "practices" ADD COLUMN "opened_until" date;--> statement-breakpoint
ALTER TABLE "appointment_proposals" ADD CONSTRAINT "appointment_proposals_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "appointment_proposals_one_open" ON "appointment_proposals" USING btree ("appointment_id") WHERE "appointment_proposals"."state" = 'proposed';--> statement-breakpoint
CREATE INDEX "appointment_proposals_due" ON "appointment_proposals" USING btree ("expires_at") WHERE "appointment_proposals"."state" = 'proposed';--> statement-breakpoint
CREATE INDEX "appointment_proposals_appointment" ON "appointment_proposals" USING btree ("appointment_id","created_at");