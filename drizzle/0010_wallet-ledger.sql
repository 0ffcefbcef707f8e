-- The ledger of points only grows.
CREATE FUNCTION wallet_entries_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- An empty table may be truncated together with the people it speaks of.
  IF TG_OP = 'TRUNCATE' AND NOT EXISTS (SELECT FROM wallet_entries) THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'wallet_entries is append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER wallet_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet_entries
  FOR EACH STATEMENT EXECUTE FUNCTION wallet_entries_are_append_only();
--> statement-breakpoint
-- The balance is the sum of the ledger, kept row by row: whoever earns or spends at once takes turns at the wallet's row,
-- and its check refuses what would make it negative.
CREATE FUNCTION wallet_entries_add_up() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO wallets (patient_id) VALUES (NEW.patient_id) ON CONFLICT DO NOTHING;
  UPDATE wallets SET balance = balance + NEW.points WHERE patient_id = NEW.patient_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER wallet_entries_add_up AFTER INSERT ON wallet_entries
  FOR EACH ROW EXECUTE FUNCTION wallet_entries_add_up();
