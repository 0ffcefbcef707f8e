ALTER TABLE "payments" ADD COLUMN "bank_reference" text;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD COLUMN "service" text;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD COLUMN "refused_since" timestamp with time zone;