CREATE TABLE "account_returns" (
	"refund_id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"account" text NOT NULL,
	"amount" bigint NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"provider_transfer_id" text,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone,
	"next_try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "account_returns_amount" CHECK ("account_returns"."amount" > 0),
	CONSTRAINT "account_returns_settled" CHECK (("account_returns"."state" = 'pending') = ("account_returns"."settled_at" is null)),
	CONSTRAINT "account_returns_sent" CHECK (("account_returns"."state" = 'sent') = ("account_returns"."provider_transfer_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "account_returns" ADD CONSTRAINT "account_returns_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_returns_of_provider" ON "account_returns" USING btree ("provider","provider_transfer_id");--> statement-breakpoint
CREATE INDEX "account_returns_to_send" ON "account_returns" USING btree ("next_try_at") WHERE "account_returns"."state" = 'pending';