-- Custom SQL migration file. What a provider signed stays as it came, and what was collected stays what it was.
CREATE FUNCTION payment_events_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_jsonb(OLD) - ARRAY['data_key', 'applied_at'] IS DISTINCT FROM to_jsonb(NEW) - ARRAY['data_key', 'applied_at']
    OR OLD.applied_at IS NOT NULL AND OLD.applied_at IS DISTINCT FROM NEW.applied_at THEN
    RAISE EXCEPTION 'payment_events is append-only';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER payment_events_stay BEFORE UPDATE ON payment_events FOR EACH ROW EXECUTE FUNCTION payment_events_stay();--> statement-breakpoint
CREATE TRIGGER payment_events_not_deleted BEFORE DELETE OR TRUNCATE ON payment_events
  FOR EACH STATEMENT EXECUTE FUNCTION money_is_append_only();--> statement-breakpoint
CREATE FUNCTION payment_orders_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.appointment_id, OLD.doctor_id, OLD.merchant_id, OLD.amount, OLD.provider, OLD.created_at)
      IS DISTINCT FROM (NEW.id, NEW.appointment_id, NEW.doctor_id, NEW.merchant_id, NEW.amount, NEW.provider, NEW.created_at)
    OR OLD.provider_order_id IS NOT NULL AND OLD.provider_order_id IS DISTINCT FROM NEW.provider_order_id
    OR OLD.state = 'paid' AND NEW.state <> 'paid' THEN
    RAISE EXCEPTION 'an order of a payment provider stays what it was';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER payment_orders_stay BEFORE UPDATE ON payment_orders FOR EACH ROW EXECUTE FUNCTION payment_orders_stay();--> statement-breakpoint
CREATE TRIGGER payment_orders_not_deleted BEFORE DELETE OR TRUNCATE ON payment_orders
  FOR EACH STATEMENT EXECUTE FUNCTION money_is_append_only();
