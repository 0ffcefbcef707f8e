CREATE TABLE "payout_accounts" (
	"merchant_id" uuid PRIMARY KEY NOT NULL,
	"is_place" boolean NOT NULL,
	"provider" text NOT NULL,
	"state" text DEFAULT 'requested' NOT NULL,
	"reason" text,
	"account_last4" text NOT NULL,
	"ifsc_code" text NOT NULL,
	"details" jsonb,
	"account_id" text,
	"stakeholder_id" text,
	"product_id" text,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"state_at" timestamp with time zone DEFAULT now() NOT NULL,
	"next_try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "payout_accounts_details" CHECK (("payout_accounts"."state" = 'requested') = ("payout_accounts"."details" is not null))
);
--> statement-breakpoint
CREATE TABLE "refused_messages" (
	"provider" text NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"reason" text NOT NULL,
	"count" integer NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"event_id" text,
	CONSTRAINT "refused_messages_pk" PRIMARY KEY("provider","hour","reason")
);
--> statement-breakpoint
CREATE TABLE "settlement_reads" (
	"provider" text PRIMARY KEY NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	"mismatches" integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "payout_accounts_of_provider" ON "payout_accounts" USING btree ("provider","account_id");--> statement-breakpoint
CREATE INDEX "payout_accounts_due" ON "payout_accounts" USING btree ("next_try_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "payment_events_received" ON "payment_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "payments_merchant_online" ON "payments" USING btree ("merchant_id","received_at") WHERE "payments"."method" = 'online';