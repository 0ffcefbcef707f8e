ALTER TABLE "appointments" ADD COLUMN "prepay_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refund_policies" ADD COLUMN "prepay" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "appointments_prepay" ON "appointments" USING btree ("prepay_until") WHERE "appointments"."prepay_until" is not null and "appointments"."status" in ('pending', 'accepted');