ALTER TABLE "own_records" ADD COLUMN "order_id" uuid;--> statement-breakpoint
ALTER TABLE "own_records" ADD CONSTRAINT "own_records_order_id_visit_documents_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."visit_documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "own_records_order" ON "own_records" USING btree ("order_id");