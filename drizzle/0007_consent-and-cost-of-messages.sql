ALTER TABLE "consents" ADD COLUMN "channel" text;--> statement-breakpoint
ALTER TABLE "outbound_messages" ADD COLUMN "segments" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_channel" CHECK ("consents"."channel" in ('sms', 'whatsapp'));