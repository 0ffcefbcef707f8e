CREATE TABLE "doctor_places" (
	"practice_id" uuid PRIMARY KEY NOT NULL,
	"doctor_id" uuid NOT NULL,
	"hospital_id" uuid NOT NULL,
	"fee" bigint,
	"words" "tsvector" NOT NULL,
	"globe" "cube"
);
--> statement-breakpoint
ALTER TABLE "doctor_places" ADD CONSTRAINT "doctor_places_practice_id_practices_id_fk" FOREIGN KEY ("practice_id") REFERENCES "public"."practices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctor_places" ADD CONSTRAINT "doctor_places_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctor_places" ADD CONSTRAINT "doctor_places_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "doctor_places_doctor" ON "doctor_places" USING btree ("doctor_id");--> statement-breakpoint
CREATE INDEX "doctor_places_hospital" ON "doctor_places" USING btree ("hospital_id");--> statement-breakpoint
CREATE INDEX "doctor_places_words" ON "doctor_places" USING gin ("words") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "doctor_places_near" ON "doctor_places" USING gist ("globe");--> statement-breakpoint
CREATE INDEX "doctor_places_fee" ON "doctor_places" USING btree ("fee");