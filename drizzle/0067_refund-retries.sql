DROP INDEX "payment_orders_open";--> statement-breakpoint
DROP INDEX "provider_refunds_to_send";--> statement-breakpoint
CREATE INDEX "payment_orders_created" ON "payment_orders" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "provider_refunds_to_send" ON "provider_refunds" USING btree ("next_try_at") WHERE "provider_refunds"."state" in ('pending', 'failed');