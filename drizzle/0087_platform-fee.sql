CREATE TABLE "platform_fee_documents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"payment_id" uuid NOT NULL,
	"refund_id" uuid,
	"financial_year" text NOT NULL,
	"number" integer NOT NULL,
	"amount" bigint NOT NULL,
	"taxable" bigint NOT NULL,
	"tax" jsonb NOT NULL,
	"invoicer" text NOT NULL,
	"gstin" text,
	"issued_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "platform_fee_documents_once" UNIQUE NULLS NOT DISTINCT("payment_id","kind","refund_id"),
	CONSTRAINT "platform_fee_documents_refund" CHECK ("platform_fee_documents"."kind" = 'invoice' or "platform_fee_documents"."refund_id" is not null),
	CONSTRAINT "platform_fee_documents_amount" CHECK ("platform_fee_documents"."amount" > 0 and "platform_fee_documents"."taxable" between 0 and "platform_fee_documents"."amount"),
	CONSTRAINT "platform_fee_documents_positive" CHECK ("platform_fee_documents"."number" > 0)
);
--> statement-breakpoint
CREATE TABLE "platform_fee_series" (
	"financial_year" text PRIMARY KEY NOT NULL,
	"invoices" integer DEFAULT 0 NOT NULL,
	"credit_notes" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_amount";--> statement-breakpoint
ALTER TABLE "payment_orders" ADD COLUMN "platform_fee" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_orders" ADD COLUMN "platform_fee_terms" jsonb;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "platform_fee" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "platform_fee_refunded" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "platform_fee" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "platform_fee_documents" ADD CONSTRAINT "platform_fee_documents_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform_fee_documents" ADD CONSTRAINT "platform_fee_documents_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "platform_fee_documents_number" ON "platform_fee_documents" USING btree ("kind","financial_year","number");--> statement-breakpoint
ALTER TABLE "payment_orders" ADD CONSTRAINT "payment_orders_platform_fee" CHECK ("payment_orders"."platform_fee" >= 0 and ("payment_orders"."platform_fee" > 0) = ("payment_orders"."platform_fee_terms" is not null));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_platform_fee" CHECK ("payments"."platform_fee" >= 0 and ("payments"."platform_fee" = 0 or "payments"."method" = 'online'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_platform_fee_refunded" CHECK ("payments"."platform_fee_refunded" between 0 and "payments"."platform_fee");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_platform_fee" CHECK ("refunds"."platform_fee" >= 0 and ("refunds"."platform_fee" = 0 or "refunds"."method" = 'online'));--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_amount" CHECK ("refunds"."amount" >= 0 and "refunds"."amount" + "refunds"."platform_fee" > 0);--> statement-breakpoint
-- Hand-written: the platform fee of an order and its terms stay what they were, as its amount does, and its documents are only added.
CREATE OR REPLACE FUNCTION payment_orders_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.appointment_id, OLD.doctor_id, OLD.merchant_id, OLD.amount, OLD.platform_fee, OLD.platform_fee_terms, OLD.provider,
      OLD.transfer_account, OLD.created_at)
      IS DISTINCT FROM
      (NEW.id, NEW.appointment_id, NEW.doctor_id, NEW.merchant_id, NEW.amount, NEW.platform_fee, NEW.platform_fee_terms, NEW.provider,
      NEW.transfer_account, NEW.created_at)
    OR OLD.provider_order_id IS NOT NULL AND OLD.provider_order_id IS DISTINCT FROM NEW.provider_order_id
    OR OLD.state = 'paid' AND NEW.state <> 'paid' THEN
    RAISE EXCEPTION 'an order of a payment provider stays what it was';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER platform_fee_documents_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON platform_fee_documents
  FOR EACH STATEMENT EXECUTE FUNCTION money_is_append_only();
