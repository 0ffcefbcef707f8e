CREATE TABLE "settlement_lines" (
	"provider" text NOT NULL,
	"settlement_id" text NOT NULL,
	"kind" text NOT NULL,
	"line_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"credit" bigint NOT NULL,
	"debit" bigint NOT NULL,
	"bank_reference" text NOT NULL,
	"settled_at" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "settlement_lines_pk" PRIMARY KEY("provider","settlement_id","kind","line_id")
);
--> statement-breakpoint
CREATE INDEX "settlement_lines_line" ON "settlement_lines" USING btree ("provider","kind","line_id");--> statement-breakpoint
CREATE INDEX "settlement_lines_settled" ON "settlement_lines" USING btree ("provider","settled_at");--> statement-breakpoint
-- Hand-written: what the provider reported stays as it was read.
CREATE TRIGGER settlement_lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement_lines
  FOR EACH STATEMENT EXECUTE FUNCTION money_is_append_only();
