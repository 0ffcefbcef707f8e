CREATE TABLE "refund_policies" (
	"merchant_id" uuid PRIMARY KEY NOT NULL,
	"hours" smallint NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refund_policies_hours" CHECK ("refund_policies"."hours" between 0 and 24)
);
--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "refund_hours" smallint DEFAULT 24 NOT NULL;--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "refund_owed" boolean;