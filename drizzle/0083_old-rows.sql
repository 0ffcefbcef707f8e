CREATE INDEX IF NOT EXISTS "users_created" ON "users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "users_role_created" ON "users" USING btree ("role","created_at","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "users_disabled" ON "users" USING btree ("created_at","id") WHERE "users"."status" = 'disabled';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "users_phone_parts" ON "users" USING gin ("phone" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "users_email_parts" ON "users" USING gin ("email" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "users_staff_name_parts" ON "users" USING gin ("staff_name" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "notifications_deleted" ON "notifications" USING btree ("deleted_at") WHERE "notifications"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "doctors_name_parts" ON "doctors" USING gin ("full_name" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "patients_name_parts" ON "patients" USING gin ("name" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
-- archive-log deletes while others write: it asks for that in its transaction instead of disabling the trigger, which locks the table.
-- Only the owner can ask: the application has no right to delete, and the owner could disable the trigger before.
CREATE OR REPLACE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('nadi.archive_log', true) = 'on'
    AND pg_has_role(current_user, (SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID), 'MEMBER')
  THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'audit_log is append-only';
END $$;
