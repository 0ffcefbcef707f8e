CREATE TABLE "memberships" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"hospital_id" uuid NOT NULL,
	"user_id" uuid,
	"role" text NOT NULL,
	"doctor_ids" uuid[] DEFAULT '{}'::uuid[] NOT NULL,
	"state" text DEFAULT 'invited' NOT NULL,
	"email" text,
	"name" text DEFAULT '' NOT NULL,
	"token_hash" text,
	"expires_at" timestamp with time zone,
	"invited_by" uuid,
	"accepted_at" timestamp with time zone,
	"suspended_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memberships_user" CHECK (("memberships"."state" in ('active', 'suspended')) <= ("memberships"."user_id" is not null)),
	CONSTRAINT "memberships_invitation" CHECK (("memberships"."state" = 'invited') = ("memberships"."email" is not null and "memberships"."token_hash" is not null and "memberships"."expires_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "place_doctors" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"hospital_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"state" text NOT NULL,
	"accepted_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "hospital_id" uuid;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "member_role" text;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "on_behalf_of" uuid;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "place_doctors" ADD CONSTRAINT "place_doctors_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "place_doctors" ADD CONSTRAINT "place_doctors_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_live" ON "memberships" USING btree ("user_id","hospital_id") WHERE "memberships"."state" in ('active', 'suspended');--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_invited" ON "memberships" USING btree ("hospital_id","email") WHERE "memberships"."state" = 'invited';--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_token" ON "memberships" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "memberships_place" ON "memberships" USING btree ("hospital_id","state");--> statement-breakpoint
CREATE UNIQUE INDEX "place_doctors_live" ON "place_doctors" USING btree ("doctor_id","hospital_id") WHERE "place_doctors"."state" <> 'ended';--> statement-breakpoint
CREATE INDEX "place_doctors_place" ON "place_doctors" USING btree ("hospital_id","state");