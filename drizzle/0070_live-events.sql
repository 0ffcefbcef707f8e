CREATE TABLE "live_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "live_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel" text NOT NULL,
	"payload" text NOT NULL,
	CONSTRAINT "live_events_channel" CHECK ("live_events"."channel" ~ '^nadi_[a-z]+$'),
	CONSTRAINT "live_events_payload" CHECK (octet_length("live_events"."payload") < 8000)
);
--> statement-breakpoint
-- Rows live for a moment: vacuum by their number, not by a share of the table.
ALTER TABLE "live_events" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);
