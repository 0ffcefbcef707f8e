CREATE TABLE "notification_emails" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"email" text,
	"pending_email" text,
	"token_hash" text,
	"token_expires_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_emails_lower" CHECK (lower("notification_emails"."email") = "notification_emails"."email" and lower("notification_emails"."pending_email") = "notification_emails"."pending_email"),
	CONSTRAINT "notification_emails_pending" CHECK (("notification_emails"."pending_email" is null) = ("notification_emails"."token_hash" is null) and ("notification_emails"."token_hash" is null) = ("notification_emails"."token_expires_at" is null))
);
--> statement-breakpoint
ALTER TABLE "notification_emails" ADD CONSTRAINT "notification_emails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "notification_emails_token" ON "notification_emails" USING btree ("token_hash");