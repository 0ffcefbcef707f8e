-- Events are only added.
CREATE FUNCTION domain_events_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'domain_events is append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER domain_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON domain_events
  FOR EACH STATEMENT EXECUTE FUNCTION domain_events_are_append_only();
