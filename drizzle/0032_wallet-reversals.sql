ALTER TABLE "wallet_entries" DROP CONSTRAINT "wallet_entries_sign";--> statement-breakpoint
DROP INDEX "wallet_entries_mission_once";--> statement-breakpoint
ALTER TABLE "wallet_entries" ADD COLUMN "round" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_entries_reversal_once" ON "wallet_entries" USING btree ("patient_id","about","round") WHERE "wallet_entries"."kind" = 'reversal';--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_entries_mission_once" ON "wallet_entries" USING btree ("patient_id","about","round") WHERE "wallet_entries"."kind" = 'mission';--> statement-breakpoint
ALTER TABLE "wallet_entries" ADD CONSTRAINT "wallet_entries_sign" CHECK ("wallet_entries"."points" <> 0 and ("wallet_entries"."kind" in ('offer', 'reversal')) = ("wallet_entries"."points" < 0));