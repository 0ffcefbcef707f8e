CREATE TABLE "inbound_messages" (
	"provider" text NOT NULL,
	"provider_id" text NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"thread_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"content" text NOT NULL,
	"pressed" text,
	"sent_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"answered_at" timestamp with time zone,
	CONSTRAINT "inbound_messages_pk" PRIMARY KEY("provider","provider_id")
);
--> statement-breakpoint
CREATE TABLE "message_threads" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"channel" text NOT NULL,
	"phone" text NOT NULL,
	"patient_id" uuid,
	"language" text,
	"state" jsonb,
	"doctor_id" uuid,
	"hospital_id" uuid,
	"answerer" text DEFAULT 'nadi' NOT NULL,
	"waiting_since" timestamp with time zone,
	"member_id" uuid,
	"stopped_at" timestamp with time zone,
	"last_in_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "message_threads_phone_form" CHECK ("message_threads"."phone" ~ '^\+91[0-9]{10}$'),
	CONSTRAINT "message_threads_waits" CHECK (("message_threads"."answerer" = 'waiting') <= ("message_threads"."waiting_since" is not null))
);
--> statement-breakpoint
CREATE TABLE "outbound_messages" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"thread_id" uuid NOT NULL,
	"member_id" uuid,
	"content" jsonb NOT NULL,
	"template" text NOT NULL,
	"form_key" text,
	"state" text DEFAULT 'queued' NOT NULL,
	"provider_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "practices" ADD COLUMN "keyword" text;--> statement-breakpoint
ALTER TABLE "inbound_messages" ADD CONSTRAINT "inbound_messages_thread_id_message_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."message_threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_threads" ADD CONSTRAINT "message_threads_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_threads" ADD CONSTRAINT "message_threads_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_threads" ADD CONSTRAINT "message_threads_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_threads" ADD CONSTRAINT "message_threads_member_id_users_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbound_messages" ADD CONSTRAINT "outbound_messages_thread_id_message_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."message_threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbound_messages" ADD CONSTRAINT "outbound_messages_member_id_users_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_messages_id" ON "inbound_messages" USING btree ("id");--> statement-breakpoint
CREATE INDEX "inbound_messages_thread" ON "inbound_messages" USING btree ("thread_id","received_at");--> statement-breakpoint
CREATE INDEX "inbound_messages_waiting" ON "inbound_messages" USING btree ("thread_id") WHERE "inbound_messages"."answered_at" is null;--> statement-breakpoint
CREATE INDEX "inbound_messages_old" ON "inbound_messages" USING btree ("received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "message_threads_phone" ON "message_threads" USING btree ("phone","channel");--> statement-breakpoint
CREATE INDEX "message_threads_patient" ON "message_threads" USING btree ("patient_id");--> statement-breakpoint
CREATE INDEX "message_threads_place" ON "message_threads" USING btree ("hospital_id","last_in_at");--> statement-breakpoint
CREATE INDEX "message_threads_waiting" ON "message_threads" USING btree ("hospital_id","waiting_since") WHERE "message_threads"."waiting_since" is not null;--> statement-breakpoint
CREATE INDEX "message_threads_old" ON "message_threads" USING btree ("last_in_at");--> statement-breakpoint
CREATE INDEX "outbound_messages_thread" ON "outbound_messages" USING btree ("thread_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "outbound_messages_provider" ON "outbound_messages" USING btree ("provider_id");--> statement-breakpoint
CREATE UNIQUE INDEX "outbound_messages_form" ON "outbound_messages" USING btree ("thread_id","form_key");--> statement-breakpoint
CREATE INDEX "outbound_messages_old" ON "outbound_messages" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "practices_keyword" ON "practices" USING btree ("keyword");--> statement-breakpoint
ALTER TABLE "practices" ADD CONSTRAINT "practices_keyword_form" CHECK ("practices"."keyword" ~ '^[A-Z][A-Z0-9]{1,14}$');