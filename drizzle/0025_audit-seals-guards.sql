-- Seals are only added.
CREATE FUNCTION audit_seals_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_seals is append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION audit_seals_are_append_only();
--> statement-breakpoint
-- Every new row of the log is in this list from its own commit until it is sealed. No transaction waits: each adds its own rows.
CREATE FUNCTION audit_log_wants_seal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO audit_unsealed (audit_id) SELECT id FROM added;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_wants_seal AFTER INSERT ON audit_log REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_wants_seal();
--> statement-breakpoint
INSERT INTO audit_unsealed (audit_id) SELECT id FROM audit_log;
