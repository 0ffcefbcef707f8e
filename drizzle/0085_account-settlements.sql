CREATE TABLE "account_settlement_lines" (
	"provider" text NOT NULL,
	"settlement_id" text NOT NULL,
	"transfer_id" text NOT NULL,
	"account" text NOT NULL,
	"source_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"reversed" bigint NOT NULL,
	CONSTRAINT "account_settlement_lines_pk" PRIMARY KEY("provider","settlement_id","transfer_id")
);
--> statement-breakpoint
CREATE TABLE "account_settlements" (
	"provider" text NOT NULL,
	"settlement_id" text NOT NULL,
	"account" text NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"bank_reference" text NOT NULL,
	"settled_at" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_settlements_pk" PRIMARY KEY("provider","settlement_id")
);
--> statement-breakpoint
ALTER TABLE "account_settlement_lines" ADD CONSTRAINT "account_settlement_lines_of" FOREIGN KEY ("provider","settlement_id") REFERENCES "public"."account_settlements"("provider","settlement_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_settlement_lines_transfer" ON "account_settlement_lines" USING btree ("provider","transfer_id");--> statement-breakpoint
CREATE INDEX "account_settlement_lines_source" ON "account_settlement_lines" USING btree ("provider","source_id");--> statement-breakpoint
CREATE INDEX "account_settlements_settled" ON "account_settlements" USING btree ("provider","settled_at");--> statement-breakpoint
CREATE INDEX "account_settlements_account" ON "account_settlements" USING btree ("provider","account","settled_at");--> statement-breakpoint
-- Hand-written: what the provider paid out from linked accounts stays as it was read.
CREATE TRIGGER account_settlements_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON account_settlements
  FOR EACH STATEMENT EXECUTE FUNCTION money_is_append_only();--> statement-breakpoint
CREATE TRIGGER account_settlement_lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON account_settlement_lines
  FOR EACH STATEMENT EXECUTE FUNCTION money_is_append_only();
