CREATE TABLE "doctor_bank_accounts" (
	"doctor_id" uuid PRIMARY KEY NOT NULL,
	"bank_name" text NOT NULL,
	"bank_branch" text NOT NULL,
	"account_holder_name" text NOT NULL,
	"account_sealed" text NOT NULL,
	"account_last4" text NOT NULL,
	"ifsc_code" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "doctor_documents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"doctor_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"file_id" uuid NOT NULL,
	"decision" text DEFAULT 'undecided' NOT NULL,
	"reason" text,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hospital_reviewers" (
	"hospital_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "hospital_reviewers_pk" PRIMARY KEY("hospital_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "reviewer_invitations" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"hospital_id" uuid NOT NULL,
	"email" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"invited_by" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "verification_drafts" (
	"doctor_id" uuid PRIMARY KEY NOT NULL,
	"hospital" text,
	"professional" text,
	"bank" text,
	"version" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "verification_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"doctor_id" uuid NOT NULL,
	"action" text NOT NULL,
	"from_status" text NOT NULL,
	"to_status" text NOT NULL,
	"by_user_id" uuid NOT NULL,
	"by_role" text NOT NULL,
	"note" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "doctors_council";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "staff_name" text;--> statement-breakpoint
ALTER TABLE "doctors" ADD COLUMN "aadhaar_sealed" text;--> statement-breakpoint
ALTER TABLE "doctors" ADD COLUMN "aadhaar_mac" text;--> statement-breakpoint
ALTER TABLE "doctors" ADD COLUMN "aadhaar_last4" text;--> statement-breakpoint
ALTER TABLE "doctors" ADD COLUMN "pan_sealed" text;--> statement-breakpoint
ALTER TABLE "doctors" ADD COLUMN "pan_mac" text;--> statement-breakpoint
ALTER TABLE "doctors" ADD COLUMN "pan_last4" text;--> statement-breakpoint
ALTER TABLE "doctors" ADD COLUMN "submitted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "hospitals" ADD COLUMN "merged_into" uuid;--> statement-breakpoint
ALTER TABLE "hospitals" ADD COLUMN "proposed_by" uuid;--> statement-breakpoint
ALTER TABLE "doctor_bank_accounts" ADD CONSTRAINT "doctor_bank_accounts_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctor_documents" ADD CONSTRAINT "doctor_documents_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctor_documents" ADD CONSTRAINT "doctor_documents_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctor_documents" ADD CONSTRAINT "doctor_documents_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hospital_reviewers" ADD CONSTRAINT "hospital_reviewers_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hospital_reviewers" ADD CONSTRAINT "hospital_reviewers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviewer_invitations" ADD CONSTRAINT "reviewer_invitations_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviewer_invitations" ADD CONSTRAINT "reviewer_invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verification_drafts" ADD CONSTRAINT "verification_drafts_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verification_events" ADD CONSTRAINT "verification_events_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verification_events" ADD CONSTRAINT "verification_events_by_user_id_users_id_fk" FOREIGN KEY ("by_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "doctor_documents_doctor" ON "doctor_documents" USING btree ("doctor_id","kind");--> statement-breakpoint
CREATE UNIQUE INDEX "doctor_documents_file" ON "doctor_documents" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "hospital_reviewers_user" ON "hospital_reviewers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "reviewer_invitations_open" ON "reviewer_invitations" USING btree ("hospital_id") WHERE "reviewer_invitations"."accepted_at" is null;--> statement-breakpoint
CREATE INDEX "verification_events_doctor" ON "verification_events" USING btree ("doctor_id","at");--> statement-breakpoint
ALTER TABLE "hospitals" ADD CONSTRAINT "hospitals_proposed_by_users_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "doctors_aadhaar" ON "doctors" USING btree ("aadhaar_mac");--> statement-breakpoint
CREATE UNIQUE INDEX "doctors_pan" ON "doctors" USING btree ("pan_mac");--> statement-breakpoint
CREATE INDEX "doctors_queue" ON "doctors" USING btree ("registration_status","submitted_at");--> statement-breakpoint
CREATE UNIQUE INDEX "doctors_council" ON "doctors" USING btree (lower("council_name"),"council_number");