ALTER TABLE "payment_orders" ADD COLUMN "transfer_account" text;--> statement-breakpoint
ALTER TABLE "settlement_lines" ADD COLUMN "payment_id" text;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "settlement_lines_payment" ON "settlement_lines" USING btree ("provider","kind","payment_id");--> statement-breakpoint
ALTER TABLE "payment_orders" ADD CONSTRAINT "payment_orders_transfer" CHECK ("payment_orders"."transfer_account" <> '');--> statement-breakpoint
-- Hand-written: the account to which an order transfers stays what it was, as the amount does.
CREATE OR REPLACE FUNCTION payment_orders_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.appointment_id, OLD.doctor_id, OLD.merchant_id, OLD.amount, OLD.provider, OLD.transfer_account, OLD.created_at)
      IS DISTINCT FROM
      (NEW.id, NEW.appointment_id, NEW.doctor_id, NEW.merchant_id, NEW.amount, NEW.provider, NEW.transfer_account, NEW.created_at)
    OR OLD.provider_order_id IS NOT NULL AND OLD.provider_order_id IS DISTINCT FROM NEW.provider_order_id
    OR OLD.state = 'paid' AND NEW.state <> 'paid' THEN
    RAISE EXCEPTION 'an order of a payment provider stays what it was';
  END IF;
  RETURN NEW;
END $$;
