-- Search by trigrams. A trusted extension: whoever may create in the database may add it. Where not even that is allowed
-- (some managed servers), its administrator adds it once and the migration finds it there.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE EXCEPTION 'Nadi searches with the PostgreSQL extension pg_trgm, which this role may not add.'
    USING HINT = 'Have an administrator run "CREATE EXTENSION pg_trgm" in this database once, then start again.';
END $$;--> statement-breakpoint
-- Places on a globe, found from near and from far. A trusted extension.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS cube;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE EXCEPTION 'Nadi finds what is near with the PostgreSQL extension cube, which this role may not add.'
    USING HINT = 'Have an administrator run "CREATE EXTENSION cube" in this database once, then start again.';
END $$;--> statement-breakpoint
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS btree_gist;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE EXCEPTION 'The database lacks the extension btree_gist'
    USING HINT = 'Have an administrator run "CREATE EXTENSION btree_gist" in this database once, then start again.';
END $$;--> statement-breakpoint
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
CREATE TABLE "otp_challenges" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"phone" text NOT NULL,
	"code_hmac" text NOT NULL,
	"jar" text NOT NULL,
	"payload" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"verified_at" timestamp with time zone,
	"consumed_at" timestamp with time zone,
	"ip" text,
	"device" text,
	"password_tries" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"challenge" text NOT NULL,
	"session_hash" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"phone" text NOT NULL,
	"user_id" uuid,
	"token_hash" text,
	"challenge_hash" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"ip" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"kind" text DEFAULT 'browser' NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ip" text,
	"user_agent" text,
	"city" text,
	"proven_at" timestamp with time zone,
	"proven_by" text,
	"unsent_form" text
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"role" text NOT NULL,
	"phone" text,
	"email" text,
	"password_hash" text,
	"staff_name" text,
	"status" text DEFAULT 'active' NOT NULL,
	"language" text,
	"is_demo" boolean DEFAULT false NOT NULL,
	"password_weak_since" timestamp with time zone,
	"bank_locked_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_phone_form" CHECK ("users"."phone" is null or "users"."phone" ~ '^\+91[0-9]{10}$'),
	CONSTRAINT "users_language" CHECK ("users"."language" in ('en', 'te', 'hi')),
	CONSTRAINT "users_email_lower" CHECK ("users"."email" is null or "users"."email" = lower("users"."email"))
);
--> statement-breakpoint
CREATE TABLE "announcement_recipients" (
	"announcement_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"dismissed_at" timestamp with time zone,
	CONSTRAINT "announcement_recipients_pk" PRIMARY KEY("announcement_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "announcements" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"audience" text NOT NULL,
	"hospital_id" uuid,
	"texts" jsonb NOT NULL,
	"language" text NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"delivered" integer DEFAULT 0 NOT NULL,
	"reached" uuid,
	"withdrawn_at" timestamp with time zone,
	CONSTRAINT "announcements_place" CHECK (("announcements"."audience" in ('members', 'place-doctors')) = ("announcements"."hospital_id" is not null)),
	CONSTRAINT "announcements_sent" CHECK ("announcements"."state" not in ('sending', 'sent') or "announcements"."sent_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "appointment_proposals" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"appointment_id" uuid NOT NULL,
	"options" jsonb NOT NULL,
	"away_reason" text,
	"at_desk" boolean DEFAULT false NOT NULL,
	"state" text DEFAULT 'proposed' NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "appointment_proposals_ended" CHECK (("appointment_proposals"."state" = 'proposed') = ("appointment_proposals"."ended_at" is null)),
	CONSTRAINT "appointment_proposals_options" CHECK (jsonb_array_length("appointment_proposals"."options") between 1 and 3)
);
--> statement-breakpoint
CREATE TABLE "appointments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"patient_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"practice_id" uuid DEFAULT null NOT NULL,
	"date" date NOT NULL,
	"time" time NOT NULL,
	"minutes" smallint DEFAULT 30 NOT NULL,
	"queue_session_id" uuid,
	"token" integer,
	"expected_time" time,
	"status" text DEFAULT 'pending' NOT NULL,
	"reason" text DEFAULT 'Routine Checkup' NOT NULL,
	"patient_name" text NOT NULL,
	"patient_phone" text NOT NULL,
	"patient_age" integer NOT NULL,
	"patient_birth_date" date,
	"patient_gender" text NOT NULL,
	"blood_group" text,
	"medical_history" text,
	"patient_note" text,
	"fee" bigint,
	"discount" bigint DEFAULT 0 NOT NULL,
	"refund_hours" smallint DEFAULT 24 NOT NULL,
	"prepay_until" timestamp with time zone,
	"refund_owed" boolean,
	"payment_reference" text NOT NULL,
	"payment_method" text,
	"idempotency_key" text NOT NULL,
	"accepted_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	"cancelled_at" timestamp with time zone,
	"cancelled_by" text,
	"cancelled_at_desk" boolean DEFAULT false NOT NULL,
	"cancel_reason" text,
	"no_show_at" timestamp with time zone,
	"cancel_note" text,
	"moved_at" timestamp with time zone,
	"sms_updates" boolean DEFAULT false NOT NULL,
	"for_caller" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "appointments_token" CHECK (("appointments"."queue_session_id" is null) = ("appointments"."token" is null) and ("appointments"."token" is null) = ("appointments"."expected_time" is null)),
	CONSTRAINT "appointments_age" CHECK ("appointments"."patient_age" between 1 and 120),
	CONSTRAINT "appointments_discount" CHECK ("appointments"."discount" between 0 and coalesce("appointments"."fee", 0))
);
--> statement-breakpoint
CREATE TABLE "availability_slots" (
	"doctor_id" uuid NOT NULL,
	"date" date NOT NULL,
	"time" time NOT NULL,
	"practice_id" uuid DEFAULT null NOT NULL,
	"minutes" smallint DEFAULT 30 NOT NULL,
	"seats" smallint DEFAULT 1 NOT NULL,
	"from_hours" boolean DEFAULT false NOT NULL,
	"tokens" boolean DEFAULT false NOT NULL,
	CONSTRAINT "availability_slots_pk" PRIMARY KEY("doctor_id","date","time"),
	CONSTRAINT "availability_slots_minutes" CHECK ("availability_slots"."minutes" between 5 and case when "availability_slots"."tokens" then 1440 else 240 end),
	CONSTRAINT "availability_slots_seats" CHECK ("availability_slots"."seats" between 1 and case when "availability_slots"."tokens" then 500 else 10 end)
);
--> statement-breakpoint
CREATE TABLE "booking_drafts" (
	"patient_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"records" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"file_ids" uuid[] DEFAULT '{}'::uuid[] NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "booking_drafts_pk" PRIMARY KEY("patient_id","doctor_id")
);
--> statement-breakpoint
CREATE TABLE "medical_records" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"appointment_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"record_type" text NOT NULL,
	"description" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "assistant_choices" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"consented_at" timestamp with time zone,
	"helper_only" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_messages" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seq" bigserial NOT NULL,
	"conversation_id" uuid NOT NULL,
	"role" text NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"file_id" uuid,
	"voice" boolean DEFAULT false NOT NULL,
	"request_key" text,
	"state" text,
	"by" text,
	"sources" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"doctor_ids" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_messages_state" CHECK (("chat_messages"."role" = 'assistant') = ("chat_messages"."state" is not null))
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"owner_id" uuid NOT NULL,
	"title" text,
	"voice" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "calendar_feeds" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"key_hash" text NOT NULL,
	"key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "calendar_feeds_key" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE TABLE "slot_claims" (
	"doctor_id" uuid NOT NULL,
	"date" date NOT NULL,
	"time" time NOT NULL,
	"seat" smallint NOT NULL,
	"kind" text NOT NULL,
	"appointment_id" uuid,
	"offer_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "slot_claims_one_per_seat" PRIMARY KEY("doctor_id","date","time","seat"),
	CONSTRAINT "slot_claims_seat" CHECK ("slot_claims"."seat" between 1 and 10),
	CONSTRAINT "slot_claims_visit" CHECK (("slot_claims"."kind" = 'visit') = ("slot_claims"."appointment_id" is not null)),
	CONSTRAINT "slot_claims_of_offer" CHECK (("slot_claims"."kind" = 'offer') = ("slot_claims"."offer_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "doctor_places" (
	"practice_id" uuid PRIMARY KEY NOT NULL,
	"doctor_id" uuid NOT NULL,
	"hospital_id" uuid NOT NULL,
	"fee" bigint,
	"words" "tsvector" NOT NULL,
	"globe" "cube"
);
--> statement-breakpoint
CREATE TABLE "leaves" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"doctor_id" uuid NOT NULL,
	"practice_id" uuid,
	"from" date NOT NULL,
	"until" date NOT NULL,
	"reason" text,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "leaves_order" CHECK ("leaves"."from" <= "leaves"."until")
);
--> statement-breakpoint
CREATE TABLE "practice_days" (
	"practice_id" uuid NOT NULL,
	"date" date NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "practice_days_pk" PRIMARY KEY("practice_id","date")
);
--> statement-breakpoint
CREATE TABLE "practice_hours" (
	"practice_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"weekday" smallint NOT NULL,
	"from" time NOT NULL,
	"until" time NOT NULL,
	CONSTRAINT "practice_hours_pk" PRIMARY KEY("practice_id","weekday","from"),
	CONSTRAINT "practice_hours_weekday" CHECK ("practice_hours"."weekday" between 0 and 6),
	CONSTRAINT "practice_hours_order" CHECK ("practice_hours"."from" < "practice_hours"."until")
);
--> statement-breakpoint
CREATE TABLE "practices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"doctor_id" uuid NOT NULL,
	"hospital_id" uuid,
	"fee" bigint,
	"slot_minutes" smallint DEFAULT 30 NOT NULL,
	"patients_per_slot" smallint DEFAULT 1 NOT NULL,
	"mode" text DEFAULT 'slots' NOT NULL,
	"seats_per_session" smallint DEFAULT 30 NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"closed_at" timestamp with time zone,
	"opened_until" date,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "practices_of_doctor" UNIQUE("id","doctor_id"),
	CONSTRAINT "practices_first" CHECK (("practices"."id" = "practices"."doctor_id") = ("practices"."hospital_id" is null)),
	CONSTRAINT "practices_first_stays" CHECK ("practices"."id" <> "practices"."doctor_id" or "practices"."state" = 'active'),
	CONSTRAINT "practices_fee" CHECK ("practices"."fee" between 0 and 10000000),
	CONSTRAINT "practices_slot_minutes" CHECK ("practices"."slot_minutes" in (10, 15, 20, 30, 60)),
	CONSTRAINT "practices_seats_per_session" CHECK ("practices"."seats_per_session" between 1 and 500),
	CONSTRAINT "practices_patients_per_slot" CHECK ("practices"."patients_per_slot" between 1 and 10)
);
--> statement-breakpoint
CREATE TABLE "emergency_runs" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"problem" text,
	"hospitals" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor_id" uuid,
	"actor_role" text NOT NULL,
	"action" text NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" text NOT NULL,
	"person_id" uuid,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"request_id" text,
	"ip" text,
	"hospital_id" uuid,
	"member_role" text,
	"on_behalf_of" uuid
);
--> statement-breakpoint
CREATE TABLE "audit_seals" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"kind" text NOT NULL,
	"from_id" bigint NOT NULL,
	"to_id" bigint NOT NULL,
	"rows" integer NOT NULL,
	"ids" "int8multirange" NOT NULL,
	"digests" "bytea" NOT NULL,
	"previous" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_unsealed" (
	"audit_id" bigint PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "domain_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "domain_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"actor_id" uuid,
	"on_behalf_of" uuid,
	"doctor_id" uuid,
	"hospital_id" uuid,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "live_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "live_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel" text NOT NULL,
	"payload" text NOT NULL,
	CONSTRAINT "live_events_channel" CHECK ("live_events"."channel" ~ '^nadi_[a-z]+$'),
	CONSTRAINT "live_events_payload" CHECK (octet_length("live_events"."payload") < 8000)
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"type" text NOT NULL,
	"params" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"target_path" text,
	"read_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox_messages" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"channel" text NOT NULL,
	"to" text NOT NULL,
	"subject" text,
	"body" text NOT NULL,
	"sent_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "family_members" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"patient_id" uuid NOT NULL,
	"name" text NOT NULL,
	"relation" text NOT NULL,
	"gender" text NOT NULL,
	"blood_group" text,
	"no_allergies_on" text,
	"date_of_birth" date,
	"age" integer,
	"age_on" date,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "family_members_age" CHECK (num_nonnulls("family_members"."date_of_birth", "family_members"."age") = 1 and ("family_members"."age" is null) = ("family_members"."age_on" is null)),
	CONSTRAINT "family_members_age_range" CHECK ("family_members"."age" is null or "family_members"."age" between 0 and 120)
);
--> statement-breakpoint
CREATE TABLE "favourites" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"patient_id" uuid NOT NULL,
	"doctor_id" uuid,
	"hospital_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "favourites_one" CHECK (num_nonnulls("favourites"."doctor_id", "favourites"."hospital_id") = 1)
);
--> statement-breakpoint
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
CREATE TABLE "account_returns" (
	"refund_id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"account" text NOT NULL,
	"amount" bigint NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"provider_transfer_id" text,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone,
	"next_try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "account_returns_amount" CHECK ("account_returns"."amount" > 0),
	CONSTRAINT "account_returns_settled" CHECK (("account_returns"."state" = 'pending') = ("account_returns"."settled_at" is null)),
	CONSTRAINT "account_returns_sent" CHECK (("account_returns"."state" = 'sent') = ("account_returns"."provider_transfer_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "account_settlement_lines" (
	"provider" text NOT NULL,
	"settlement_id" text NOT NULL,
	"transfer_id" text NOT NULL,
	"account" text NOT NULL,
	"source_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"reversed" bigint NOT NULL,
	CONSTRAINT "account_settlement_lines_pk" PRIMARY KEY("provider","settlement_id","transfer_id")
);
--> statement-breakpoint
CREATE TABLE "account_settlements" (
	"provider" text NOT NULL,
	"settlement_id" text NOT NULL,
	"account" text NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"bank_reference" text NOT NULL,
	"settled_at" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_settlements_pk" PRIMARY KEY("provider","settlement_id")
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"transfer_id" uuid NOT NULL,
	"account" text NOT NULL,
	"amount" bigint NOT NULL,
	"payment_id" uuid,
	"appointment_id" uuid,
	"merchant_id" uuid NOT NULL,
	"refund_id" uuid,
	"doctor_id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_entries_about" CHECK (("ledger_entries"."payment_id" is null) = ("ledger_entries"."appointment_id" is not null)),
	CONSTRAINT "ledger_entries_amount" CHECK ("ledger_entries"."amount" <> 0)
);
--> statement-breakpoint
CREATE TABLE "payment_events" (
	"provider" text NOT NULL,
	"event_id" text NOT NULL,
	"data_key" text NOT NULL,
	"raw" text NOT NULL,
	"fact" jsonb NOT NULL,
	"order_id" uuid NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"applied_at" timestamp with time zone,
	CONSTRAINT "payment_events_pk" PRIMARY KEY("provider","event_id")
);
--> statement-breakpoint
CREATE TABLE "payment_orders" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"appointment_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"platform_fee" bigint DEFAULT 0 NOT NULL,
	"platform_fee_terms" jsonb,
	"provider" text NOT NULL,
	"provider_order_id" text,
	"transfer_account" text,
	"state" text DEFAULT 'created' NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"confirming_at" timestamp with time zone,
	"attempt_failed_at" timestamp with time zone,
	"checked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_orders_amount" CHECK ("payment_orders"."amount" > 0),
	CONSTRAINT "payment_orders_platform_fee" CHECK ("payment_orders"."platform_fee" >= 0 and ("payment_orders"."platform_fee" > 0) = ("payment_orders"."platform_fee_terms" is not null)),
	CONSTRAINT "payment_orders_transfer" CHECK ("payment_orders"."transfer_account" <> '')
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"appointment_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"method" text NOT NULL,
	"amount" bigint NOT NULL,
	"refunded" bigint DEFAULT 0 NOT NULL,
	"corrected" bigint DEFAULT 0 NOT NULL,
	"platform_fee" bigint DEFAULT 0 NOT NULL,
	"platform_fee_refunded" bigint DEFAULT 0 NOT NULL,
	"state" text DEFAULT 'captured' NOT NULL,
	"reference" text,
	"order_id" uuid,
	"provider_payment_id" text,
	"unseatable" boolean DEFAULT false NOT NULL,
	"idempotency_key" text NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payments_of_merchant" UNIQUE("id","merchant_id"),
	CONSTRAINT "payments_online" CHECK (("payments"."method" = 'online') = ("payments"."order_id" is not null) and ("payments"."order_id" is null) = ("payments"."provider_payment_id" is null)),
	CONSTRAINT "payments_amount" CHECK ("payments"."amount" > 0),
	CONSTRAINT "payments_refunded" CHECK ("payments"."refunded" between 0 and "payments"."amount"),
	CONSTRAINT "payments_platform_fee" CHECK ("payments"."platform_fee" >= 0 and ("payments"."platform_fee" = 0 or "payments"."method" = 'online')),
	CONSTRAINT "payments_platform_fee_refunded" CHECK ("payments"."platform_fee_refunded" between 0 and "payments"."platform_fee"),
	CONSTRAINT "payments_corrected" CHECK ("payments"."corrected" between 0 and "payments"."refunded"),
	CONSTRAINT "payments_state" CHECK ("payments"."state" = case "payments"."refunded" when 0 then 'captured' when "payments"."amount" then 'refunded' else 'partly-refunded' end)
);
--> statement-breakpoint
CREATE TABLE "payout_accounts" (
	"merchant_id" uuid PRIMARY KEY NOT NULL,
	"is_place" boolean NOT NULL,
	"provider" text NOT NULL,
	"state" text DEFAULT 'requested' NOT NULL,
	"reason" text,
	"account_last4" text NOT NULL,
	"ifsc_code" text NOT NULL,
	"details" jsonb,
	"account_id" text,
	"stakeholder_id" text,
	"product_id" text,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"state_at" timestamp with time zone DEFAULT now() NOT NULL,
	"next_try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "payout_accounts_details" CHECK (("payout_accounts"."state" = 'requested') = ("payout_accounts"."details" is not null))
);
--> statement-breakpoint
CREATE TABLE "platform_fee_documents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"payment_id" uuid NOT NULL,
	"refund_id" uuid,
	"financial_year" text NOT NULL,
	"number" integer NOT NULL,
	"amount" bigint NOT NULL,
	"taxable" bigint NOT NULL,
	"tax" jsonb NOT NULL,
	"invoicer" text NOT NULL,
	"gstin" text,
	"issued_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "platform_fee_documents_once" UNIQUE NULLS NOT DISTINCT("payment_id","kind","refund_id"),
	CONSTRAINT "platform_fee_documents_refund" CHECK ("platform_fee_documents"."kind" = 'invoice' or "platform_fee_documents"."refund_id" is not null),
	CONSTRAINT "platform_fee_documents_amount" CHECK ("platform_fee_documents"."amount" > 0 and "platform_fee_documents"."taxable" between 0 and "platform_fee_documents"."amount"),
	CONSTRAINT "platform_fee_documents_positive" CHECK ("platform_fee_documents"."number" > 0)
);
--> statement-breakpoint
CREATE TABLE "platform_fee_series" (
	"financial_year" text PRIMARY KEY NOT NULL,
	"invoices" integer DEFAULT 0 NOT NULL,
	"credit_notes" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_refunds" (
	"refund_id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"provider_refund_id" text,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"bank_reference" text,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"settled_at" timestamp with time zone,
	"next_try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "provider_refunds_settled" CHECK (("provider_refunds"."state" = 'pending') = ("provider_refunds"."settled_at" is null))
);
--> statement-breakpoint
CREATE TABLE "receipt_series" (
	"merchant_id" uuid NOT NULL,
	"financial_year" text NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "receipt_series_pk" PRIMARY KEY("merchant_id","financial_year")
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"payment_id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"financial_year" text NOT NULL,
	"number" integer NOT NULL,
	"merchant_name" text NOT NULL,
	"merchant_address" text NOT NULL,
	"issued_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "receipts_positive" CHECK ("receipts"."number" > 0)
);
--> statement-breakpoint
CREATE TABLE "refund_policies" (
	"merchant_id" uuid PRIMARY KEY NOT NULL,
	"hours" smallint NOT NULL,
	"prepay" boolean DEFAULT false NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refund_policies_hours" CHECK ("refund_policies"."hours" between 0 and 24)
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"payment_id" uuid NOT NULL,
	"method" text NOT NULL,
	"amount" bigint NOT NULL,
	"platform_fee" bigint DEFAULT 0 NOT NULL,
	"reason" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"refunded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount" >= 0 and "refunds"."amount" + "refunds"."platform_fee" > 0),
	CONSTRAINT "refunds_platform_fee" CHECK ("refunds"."platform_fee" >= 0 and ("refunds"."platform_fee" = 0 or "refunds"."method" = 'online'))
);
--> statement-breakpoint
CREATE TABLE "refused_messages" (
	"provider" text NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"reason" text NOT NULL,
	"count" integer NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"event_id" text,
	CONSTRAINT "refused_messages_pk" PRIMARY KEY("provider","hour","reason")
);
--> statement-breakpoint
CREATE TABLE "settlement_lines" (
	"provider" text NOT NULL,
	"settlement_id" text NOT NULL,
	"kind" text NOT NULL,
	"line_id" text NOT NULL,
	"payment_id" text,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"credit" bigint NOT NULL,
	"debit" bigint NOT NULL,
	"bank_reference" text NOT NULL,
	"settled_at" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "settlement_lines_pk" PRIMARY KEY("provider","settlement_id","kind","line_id")
);
--> statement-breakpoint
CREATE TABLE "settlement_reads" (
	"provider" text PRIMARY KEY NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	"mismatches" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "own_records" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"patient_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"person_key" text NOT NULL,
	"person_name" text NOT NULL,
	"record_type" text NOT NULL,
	"order_id" uuid,
	"from_place" boolean DEFAULT false NOT NULL,
	"description" text NOT NULL,
	"date" date NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "record_permissions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"patient_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"person_key" text NOT NULL,
	"person_name" text NOT NULL,
	"allowed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"until" date NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "record_permissions_until" CHECK ("record_permissions"."until" between ("record_permissions"."allowed_at" at time zone 'Asia/Kolkata')::date and ("record_permissions"."allowed_at" at time zone 'Asia/Kolkata')::date + 366),
	CONSTRAINT "record_permissions_ended" CHECK ("record_permissions"."ended_at" >= "record_permissions"."allowed_at")
);
--> statement-breakpoint
CREATE TABLE "record_shares" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"patient_id" uuid,
	"person_key" text,
	"document_id" uuid,
	"own_record_id" uuid,
	"medical_record_id" uuid,
	"secret_hash" text NOT NULL,
	"shows_name" boolean DEFAULT false NOT NULL,
	"most" integer NOT NULL,
	"opened" integer DEFAULT 0 NOT NULL,
	"last_opened_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "record_shares_of_one" CHECK (num_nonnulls("record_shares"."document_id", "record_shares"."own_record_id", "record_shares"."medical_record_id") = 1),
	CONSTRAINT "record_shares_of_patient" CHECK (("record_shares"."patient_id" is null) = ("record_shares"."person_key" is null) and ("record_shares"."patient_id" is not null or "record_shares"."document_id" is not null)),
	CONSTRAINT "record_shares_opened" CHECK ("record_shares"."most" between 1 and 50 and "record_shares"."opened" between 0 and "record_shares"."most"),
	CONSTRAINT "record_shares_last" CHECK (("record_shares"."opened" = 0) = ("record_shares"."last_opened_at" is null)),
	CONSTRAINT "record_shares_expires" CHECK ("record_shares"."expires_at" > "record_shares"."created_at" and "record_shares"."expires_at" <= "record_shares"."created_at" + interval '31 days'),
	CONSTRAINT "record_shares_ended" CHECK ("record_shares"."ended_at" >= "record_shares"."created_at")
);
--> statement-breakpoint
CREATE TABLE "cities" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"search_name" text NOT NULL,
	"state" text NOT NULL,
	"district" text DEFAULT '' NOT NULL,
	"latitude" double precision NOT NULL,
	"longitude" double precision NOT NULL,
	"rank" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "doctors" (
	"id" uuid PRIMARY KEY NOT NULL,
	"registration_status" text DEFAULT 'draft' NOT NULL,
	"full_name" text DEFAULT '' NOT NULL,
	"category" text DEFAULT 'General' NOT NULL,
	"primary_specialization" text DEFAULT '' NOT NULL,
	"additional_specializations" text DEFAULT '' NOT NULL,
	"experience_years" integer DEFAULT 0 NOT NULL,
	"consultation_fee" bigint,
	"about" text DEFAULT '' NOT NULL,
	"gender" text,
	"date_of_birth" date,
	"council_name" text,
	"council_number" text,
	"council_year" integer,
	"languages" text[] DEFAULT '{}'::text[] NOT NULL,
	"qualifications" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"hospital_id" uuid,
	"area" text DEFAULT '' NOT NULL,
	"city" text DEFAULT '' NOT NULL,
	"state" text DEFAULT '' NOT NULL,
	"latitude" double precision,
	"longitude" double precision,
	"photo_file_id" uuid,
	"portrait" text,
	"translations" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"rating_sum" integer DEFAULT 0 NOT NULL,
	"rating_count" integer DEFAULT 0 NOT NULL,
	"aadhaar_sealed" text,
	"aadhaar_mac" text,
	"aadhaar_last4" text,
	"aadhaar_erased_at" timestamp with time zone,
	"pan_sealed" text,
	"pan_mac" text,
	"pan_last4" text,
	"submitted_at" timestamp with time zone,
	"verified_at" timestamp with time zone,
	"words" "tsvector" DEFAULT ''::tsvector NOT NULL,
	"name_words" "tsvector" DEFAULT ''::tsvector NOT NULL,
	"globe" "cube" GENERATED ALWAYS AS (case when "doctors"."latitude" is not null and "doctors"."longitude" is not null then cube(array[cos(radians("doctors"."latitude")) * cos(radians("doctors"."longitude")), cos(radians("doctors"."latitude")) * sin(radians("doctors"."longitude")), sin(radians("doctors"."latitude"))]) end) STORED,
	"is_demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "doctors_aadhaar_erased" CHECK ("doctors"."aadhaar_erased_at" is null or "doctors"."aadhaar_sealed" is null),
	CONSTRAINT "doctors_fee" CHECK ("doctors"."consultation_fee" is null or "doctors"."consultation_fee" >= 0)
);
--> statement-breakpoint
CREATE TABLE "hospitals" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"category" text NOT NULL,
	"specialties" text[] DEFAULT '{}'::text[] NOT NULL,
	"address" text NOT NULL,
	"area" text DEFAULT '' NOT NULL,
	"city" text NOT NULL,
	"state" text NOT NULL,
	"pin_code" text,
	"latitude" double precision,
	"longitude" double precision,
	"phone" text,
	"email" text,
	"about" text DEFAULT '' NOT NULL,
	"working_hours" text DEFAULT '' NOT NULL,
	"access" text[] DEFAULT '{}'::text[] NOT NULL,
	"translations" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"merged_into" uuid,
	"rating_sum" integer DEFAULT 0 NOT NULL,
	"rating_count" integer DEFAULT 0 NOT NULL,
	"proposed_by" uuid,
	"doctors_count" integer DEFAULT 0 NOT NULL,
	"reasons_at_desk" boolean DEFAULT false NOT NULL,
	"embed_origins" text[] DEFAULT '{}'::text[] NOT NULL,
	"doctor_categories" text[] DEFAULT '{}'::text[] NOT NULL,
	"words" "tsvector" DEFAULT ''::tsvector NOT NULL,
	"name_words" "tsvector" DEFAULT ''::tsvector NOT NULL,
	"globe" "cube" GENERATED ALWAYS AS (case when "hospitals"."latitude" is not null and "hospitals"."longitude" is not null then cube(array[cos(radians("hospitals"."latitude")) * cos(radians("hospitals"."longitude")), cos(radians("hospitals"."latitude")) * sin(radians("hospitals"."longitude")), sin(radians("hospitals"."latitude"))]) end) STORED,
	"is_demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "patients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text,
	"date_of_birth" date,
	"gender" text,
	"photo_file_id" uuid,
	"no_allergies_on" text,
	"city_id" integer,
	"latitude" double precision,
	"longitude" double precision,
	"accuracy" integer,
	"place_source" text,
	"unclaimed_since" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "profile_changes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"doctor_id" uuid NOT NULL,
	"field" text NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"account_sealed" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_settings" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"chosen" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"session_hash" text NOT NULL,
	"endpoint_hash" text NOT NULL,
	"address" jsonb NOT NULL,
	"user_agent" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_sent_at" timestamp with time zone,
	CONSTRAINT "push_subscriptions_endpoint" UNIQUE("endpoint_hash"),
	CONSTRAINT "push_subscriptions_session" UNIQUE("session_hash")
);
--> statement-breakpoint
CREATE TABLE "queue_sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"practice_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"date" date NOT NULL,
	"part" text NOT NULL,
	"state" text DEFAULT 'planned' NOT NULL,
	"starts_at" time NOT NULL,
	"ends_at" time NOT NULL,
	"last_number" integer DEFAULT 0 NOT NULL,
	"calls" integer DEFAULT 0 NOT NULL,
	"seats" smallint,
	"late_minutes" smallint DEFAULT 0 NOT NULL,
	"told_late_minutes" smallint,
	"doctor_in_at" timestamp with time zone,
	"paused_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "queue_sessions_once" UNIQUE("practice_id","date","part"),
	CONSTRAINT "queue_sessions_last_number" CHECK ("queue_sessions"."last_number" >= 0 and "queue_sessions"."calls" >= 0),
	CONSTRAINT "queue_sessions_late" CHECK ("queue_sessions"."late_minutes" between 0 and 480),
	CONSTRAINT "queue_sessions_seats" CHECK ("queue_sessions"."seats" between 1 and 500)
);
--> statement-breakpoint
CREATE TABLE "files" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"owner_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"storage_key" text NOT NULL,
	"media_type" text NOT NULL,
	"byte_size" integer NOT NULL,
	"width" integer,
	"height" integer,
	"original_name" text NOT NULL,
	"data_key" text,
	"sealed" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "files_storageKey_unique" UNIQUE("storage_key")
);
--> statement-breakpoint
CREATE TABLE "reminders" (
	"appointment_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reminders_pk" PRIMARY KEY("appointment_id","kind","starts_at")
);
--> statement-breakpoint
CREATE TABLE "api_replays" (
	"user_id" uuid NOT NULL,
	"key_hash" text NOT NULL,
	"call" text NOT NULL,
	"fingerprint" text,
	"status" integer,
	"body" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "api_replays_pk" PRIMARY KEY("user_id","key_hash")
);
--> statement-breakpoint
CREATE TABLE "review_reports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"review_id" uuid NOT NULL,
	"reporter_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"note" text,
	"decided_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"appointment_id" uuid NOT NULL,
	"patient_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"hospital_id" uuid,
	"status" text DEFAULT 'shown' NOT NULL,
	"rating" integer,
	"words" text,
	"reply" text,
	"replied_at" timestamp with time zone,
	"reply_hidden_reason" text,
	"hidden_reason" text,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	"edited_at" timestamp with time zone,
	"is_demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reviews_rating" CHECK (("reviews"."status" = 'withdrawn') = ("reviews"."rating" is null) and "reviews"."rating" between 1 and 5),
	CONSTRAINT "reviews_withdrawn" CHECK ("reviews"."status" <> 'withdrawn' or ("reviews"."words" is null and "reviews"."reply" is null)),
	CONSTRAINT "reviews_reply" CHECK (("reviews"."reply" is null) = ("reviews"."replied_at" is null))
);
--> statement-breakpoint
CREATE TABLE "sealing_progress" (
	"part" text PRIMARY KEY NOT NULL,
	"after" text[],
	"count" integer DEFAULT 0 NOT NULL,
	"finished_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "server_keys" (
	"name" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "short_names" (
	"kind" text NOT NULL,
	"slug" text NOT NULL,
	"hospital_id" uuid,
	"doctor_id" uuid,
	"is_current" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "short_names_pk" PRIMARY KEY("kind","slug"),
	CONSTRAINT "short_names_subject" CHECK (("short_names"."kind" = 'hospital') = ("short_names"."hospital_id" is not null) and ("short_names"."kind" = 'doctor') = ("short_names"."doctor_id" is not null)),
	CONSTRAINT "short_names_slug" CHECK ("short_names"."slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length("short_names"."slug") <= 80)
);
--> statement-breakpoint
CREATE TABLE "support_messages" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"thread_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"by_support" boolean NOT NULL,
	"content" text NOT NULL,
	"form_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_threads" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"reference" text NOT NULL,
	"user_id" uuid NOT NULL,
	"topic" text NOT NULL,
	"appointment_id" uuid,
	"state" text DEFAULT 'open' NOT NULL,
	"assignee_id" uuid,
	"waiting_since" timestamp with time zone,
	"last_message_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "support_threads_waits" CHECK (("support_threads"."state" = 'open') = ("support_threads"."waiting_since" is not null))
);
--> statement-breakpoint
CREATE TABLE "case_assignments" (
	"doctor_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "case_reminders" (
	"doctor_id" uuid NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"step" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "case_reminders_pk" PRIMARY KEY("doctor_id","since","step")
);
--> statement-breakpoint
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
	"file_id" uuid,
	"erased_at" timestamp with time zone,
	"decision" text DEFAULT 'undecided' NOT NULL,
	"reason" text,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	"hospital_decided_by" uuid,
	"hospital_decided_at" timestamp with time zone,
	"fingerprint" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "doctor_documents_file_or_erased" CHECK (("doctor_documents"."file_id" is null) = ("doctor_documents"."erased_at" is not null))
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
	"reasons" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "encounters" (
	"id" uuid PRIMARY KEY NOT NULL,
	"doctor_id" uuid NOT NULL,
	"practice_id" uuid NOT NULL,
	"patient_id" uuid,
	"appointment_id" uuid,
	"queue_entry_id" uuid,
	"date" date NOT NULL,
	"person_key" text NOT NULL,
	"patient" jsonb NOT NULL,
	"follow_up_on" date,
	"follow_up_reminded" date,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "encounters_id" CHECK ("encounters"."id" = coalesce("encounters"."appointment_id", "encounters"."queue_entry_id")),
	CONSTRAINT "encounters_of_one" CHECK (num_nonnulls("encounters"."appointment_id", "encounters"."queue_entry_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "medicine_favourites" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"doctor_id" uuid NOT NULL,
	"line" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "visit_documents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"encounter_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"replaces" uuid,
	"draft" jsonb,
	"version" integer DEFAULT 0 NOT NULL,
	"code" text,
	"data_key" text,
	"content" text,
	"sha256" text,
	"signature" text,
	"key_id" text,
	"signed_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "visit_documents_draft" CHECK (("visit_documents"."state" = 'draft') = ("visit_documents"."draft" is not null)),
	CONSTRAINT "visit_documents_signed" CHECK (num_nonnulls("visit_documents"."code", "visit_documents"."data_key", "visit_documents"."content", "visit_documents"."sha256", "visit_documents"."signature", "visit_documents"."key_id", "visit_documents"."signed_at") = case when "visit_documents"."state" in ('draft', 'discarded') then 0 else 7 end),
	CONSTRAINT "visit_documents_ended" CHECK (("visit_documents"."state" in ('superseded', 'cancelled', 'discarded')) = ("visit_documents"."ended_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "visit_notes" (
	"document_id" uuid PRIMARY KEY NOT NULL,
	"data_key" text NOT NULL,
	"content" jsonb NOT NULL,
	"signed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "place_links" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"hospital_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"key_hash" text NOT NULL,
	"key" text NOT NULL,
	"allows_walk_ins" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "place_links_once" UNIQUE("hospital_id","kind"),
	CONSTRAINT "place_links_key" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE TABLE "queue_entries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"session_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"appointment_id" uuid,
	"patient_id" uuid,
	"name" text NOT NULL,
	"phone" text NOT NULL,
	"person_key" text,
	"age" smallint,
	"birth_date" date,
	"gender" text,
	"priority" text DEFAULT 'normal' NOT NULL,
	"state" text NOT NULL,
	"code" text NOT NULL,
	"form_key" text,
	"due_at" timestamp with time zone NOT NULL,
	"call_number" integer,
	"returned_at_call" integer,
	"arrived_at" timestamp with time zone,
	"called_at" timestamp with time zone,
	"with_doctor_at" timestamp with time zone,
	"done_at" timestamp with time zone,
	"skipped_at" timestamp with time zone,
	"left_at" timestamp with time zone,
	"no_show_at" timestamp with time zone,
	"estimate_low_at" timestamp with time zone,
	"estimate_high_at" timestamp with time zone,
	"travel_minutes" smallint,
	"soon_sms_at" timestamp with time zone,
	"late_sms_at" timestamp with time zone,
	"sms_stopped" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "queue_entries_number" UNIQUE("session_id","number"),
	CONSTRAINT "queue_entries_code" UNIQUE("code"),
	CONSTRAINT "queue_entries_appointment" CHECK ("queue_entries"."kind" <> 'booked' or "queue_entries"."appointment_id" is not null),
	CONSTRAINT "queue_entries_age" CHECK ("queue_entries"."age" between 0 and 120),
	CONSTRAINT "queue_entries_travel" CHECK ("queue_entries"."travel_minutes" between 0 and 240)
);
--> statement-breakpoint
CREATE TABLE "waitlist_entries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"number" bigserial NOT NULL,
	"patient_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"practice_id" uuid,
	"member_id" uuid,
	"appointment_id" uuid,
	"patient_name" text NOT NULL,
	"patient_phone" text NOT NULL,
	"patient_age" integer NOT NULL,
	"patient_birth_date" date,
	"patient_gender" text NOT NULL,
	"from_date" date NOT NULL,
	"until_date" date NOT NULL,
	"parts" text[] DEFAULT '{}'::text[] NOT NULL,
	"sms" boolean DEFAULT true NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"lapses" smallint DEFAULT 0 NOT NULL,
	"end_reason" text,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "waitlist_entries_days" CHECK ("waitlist_entries"."from_date" <= "waitlist_entries"."until_date"),
	CONSTRAINT "waitlist_entries_age" CHECK ("waitlist_entries"."patient_age" between 1 and 120),
	CONSTRAINT "waitlist_entries_end" CHECK (("waitlist_entries"."state" = 'ended') = ("waitlist_entries"."end_reason" is not null))
);
--> statement-breakpoint
CREATE TABLE "waitlist_offers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"entry_id" uuid NOT NULL,
	"doctor_id" uuid NOT NULL,
	"practice_id" uuid NOT NULL,
	"date" date NOT NULL,
	"time" time NOT NULL,
	"chain" smallint DEFAULT 0 NOT NULL,
	"state" text DEFAULT 'offered' NOT NULL,
	"send_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"notified_at" timestamp with time zone,
	"decided_at" timestamp with time zone,
	"freed_date" date,
	"freed_time" time,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "waitlist_offers_time" CHECK ("waitlist_offers"."send_at" < "waitlist_offers"."ends_at")
);
--> statement-breakpoint
CREATE TABLE "wallet_codes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"patient_id" uuid NOT NULL,
	"offer" text NOT NULL,
	"code" text NOT NULL,
	"entry_id" bigint NOT NULL,
	"appointment_id" uuid,
	"applied_at" timestamp with time zone,
	"idempotency_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_entries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"patient_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"about" text NOT NULL,
	"round" integer DEFAULT 0 NOT NULL,
	"points" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "wallet_entries_sign" CHECK ("wallet_entries"."points" <> 0 and ("wallet_entries"."kind" in ('offer', 'reversal')) = ("wallet_entries"."points" < 0))
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"patient_id" uuid PRIMARY KEY NOT NULL,
	"balance" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "wallets_not_negative" CHECK ("wallets"."balance" >= 0)
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_id" bigint,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"status" smallint,
	"error" text,
	"tried_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_deliveries_once" UNIQUE("endpoint_id","event_id"),
	CONSTRAINT "webhook_deliveries_next" CHECK (("webhook_deliveries"."state" = 'waiting') = ("webhook_deliveries"."next_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"hospital_id" uuid NOT NULL,
	"url" text NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"subjects" text[] NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_until" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_endpoints_previous" CHECK (("webhook_endpoints"."previous_secret" is null) = ("webhook_endpoints"."previous_until" is null)),
	CONSTRAINT "webhook_endpoints_url" CHECK (length("webhook_endpoints"."url") <= 500 and "webhook_endpoints"."url" ~ '^https?://')
);
--> statement-breakpoint
ALTER TABLE "notification_emails" ADD CONSTRAINT "notification_emails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_recipients" ADD CONSTRAINT "announcement_recipients_announcement_id_announcements_id_fk" FOREIGN KEY ("announcement_id") REFERENCES "public"."announcements"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_recipients" ADD CONSTRAINT "announcement_recipients_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointment_proposals" ADD CONSTRAINT "appointment_proposals_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_queue_session_id_queue_sessions_id_fk" FOREIGN KEY ("queue_session_id") REFERENCES "public"."queue_sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_practice" FOREIGN KEY ("practice_id","doctor_id") REFERENCES "public"."practices"("id","doctor_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "availability_slots" ADD CONSTRAINT "availability_slots_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "availability_slots" ADD CONSTRAINT "availability_slots_practice" FOREIGN KEY ("practice_id","doctor_id") REFERENCES "public"."practices"("id","doctor_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_drafts" ADD CONSTRAINT "booking_drafts_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_drafts" ADD CONSTRAINT "booking_drafts_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "medical_records" ADD CONSTRAINT "medical_records_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "medical_records" ADD CONSTRAINT "medical_records_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_choices" ADD CONSTRAINT "assistant_choices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slot_claims" ADD CONSTRAINT "slot_claims_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slot_claims" ADD CONSTRAINT "slot_claims_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slot_claims" ADD CONSTRAINT "slot_claims_offer_id_waitlist_offers_id_fk" FOREIGN KEY ("offer_id") REFERENCES "public"."waitlist_offers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctor_places" ADD CONSTRAINT "doctor_places_practice_id_practices_id_fk" FOREIGN KEY ("practice_id") REFERENCES "public"."practices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctor_places" ADD CONSTRAINT "doctor_places_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctor_places" ADD CONSTRAINT "doctor_places_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leaves" ADD CONSTRAINT "leaves_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leaves" ADD CONSTRAINT "leaves_practice_id_practices_id_fk" FOREIGN KEY ("practice_id") REFERENCES "public"."practices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_days" ADD CONSTRAINT "practice_days_practice_id_practices_id_fk" FOREIGN KEY ("practice_id") REFERENCES "public"."practices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_hours" ADD CONSTRAINT "practice_hours_practice_id_practices_id_fk" FOREIGN KEY ("practice_id") REFERENCES "public"."practices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_hours" ADD CONSTRAINT "practice_hours_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practices" ADD CONSTRAINT "practices_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practices" ADD CONSTRAINT "practices_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "family_members" ADD CONSTRAINT "family_members_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favourites" ADD CONSTRAINT "favourites_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favourites" ADD CONSTRAINT "favourites_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favourites" ADD CONSTRAINT "favourites_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "place_doctors" ADD CONSTRAINT "place_doctors_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "place_doctors" ADD CONSTRAINT "place_doctors_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_returns" ADD CONSTRAINT "account_returns_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_settlement_lines" ADD CONSTRAINT "account_settlement_lines_of" FOREIGN KEY ("provider","settlement_id") REFERENCES "public"."account_settlements"("provider","settlement_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_payment" FOREIGN KEY ("payment_id","merchant_id") REFERENCES "public"."payments"("id","merchant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_events" ADD CONSTRAINT "payment_events_order_id_payment_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."payment_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_orders" ADD CONSTRAINT "payment_orders_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_orders" ADD CONSTRAINT "payment_orders_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_payment_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."payment_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform_fee_documents" ADD CONSTRAINT "platform_fee_documents_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform_fee_documents" ADD CONSTRAINT "platform_fee_documents_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_refunds" ADD CONSTRAINT "provider_refunds_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_payment" FOREIGN KEY ("payment_id","merchant_id") REFERENCES "public"."payments"("id","merchant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "own_records" ADD CONSTRAINT "own_records_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "own_records" ADD CONSTRAINT "own_records_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "own_records" ADD CONSTRAINT "own_records_order_id_visit_documents_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."visit_documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_permissions" ADD CONSTRAINT "record_permissions_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_permissions" ADD CONSTRAINT "record_permissions_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_shares" ADD CONSTRAINT "record_shares_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_shares" ADD CONSTRAINT "record_shares_document_id_visit_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."visit_documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_shares" ADD CONSTRAINT "record_shares_own_record_id_own_records_id_fk" FOREIGN KEY ("own_record_id") REFERENCES "public"."own_records"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_shares" ADD CONSTRAINT "record_shares_medical_record_id_medical_records_id_fk" FOREIGN KEY ("medical_record_id") REFERENCES "public"."medical_records"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctors" ADD CONSTRAINT "doctors_id_users_id_fk" FOREIGN KEY ("id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctors" ADD CONSTRAINT "doctors_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctors" ADD CONSTRAINT "doctors_photo_file_id_files_id_fk" FOREIGN KEY ("photo_file_id") REFERENCES "public"."files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hospitals" ADD CONSTRAINT "hospitals_proposed_by_users_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "patients" ADD CONSTRAINT "patients_id_users_id_fk" FOREIGN KEY ("id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "patients" ADD CONSTRAINT "patients_photo_file_id_files_id_fk" FOREIGN KEY ("photo_file_id") REFERENCES "public"."files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "patients" ADD CONSTRAINT "patients_city_id_cities_id_fk" FOREIGN KEY ("city_id") REFERENCES "public"."cities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profile_changes" ADD CONSTRAINT "profile_changes_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profile_changes" ADD CONSTRAINT "profile_changes_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_settings" ADD CONSTRAINT "user_settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_session_hash_sessions_token_hash_fk" FOREIGN KEY ("session_hash") REFERENCES "public"."sessions"("token_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_sessions" ADD CONSTRAINT "queue_sessions_practice" FOREIGN KEY ("practice_id","doctor_id") REFERENCES "public"."practices"("id","doctor_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_replays" ADD CONSTRAINT "api_replays_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_reports" ADD CONSTRAINT "review_reports_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_reports" ADD CONSTRAINT "review_reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "short_names" ADD CONSTRAINT "short_names_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "short_names" ADD CONSTRAINT "short_names_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_messages" ADD CONSTRAINT "support_messages_thread_id_support_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."support_threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_messages" ADD CONSTRAINT "support_messages_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_threads" ADD CONSTRAINT "support_threads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_threads" ADD CONSTRAINT "support_threads_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_threads" ADD CONSTRAINT "support_threads_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_assignments" ADD CONSTRAINT "case_assignments_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_assignments" ADD CONSTRAINT "case_assignments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_reminders" ADD CONSTRAINT "case_reminders_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctor_bank_accounts" ADD CONSTRAINT "doctor_bank_accounts_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctor_documents" ADD CONSTRAINT "doctor_documents_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctor_documents" ADD CONSTRAINT "doctor_documents_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctor_documents" ADD CONSTRAINT "doctor_documents_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "doctor_documents" ADD CONSTRAINT "doctor_documents_hospital_decided_by_users_id_fk" FOREIGN KEY ("hospital_decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hospital_reviewers" ADD CONSTRAINT "hospital_reviewers_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hospital_reviewers" ADD CONSTRAINT "hospital_reviewers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviewer_invitations" ADD CONSTRAINT "reviewer_invitations_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviewer_invitations" ADD CONSTRAINT "reviewer_invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verification_drafts" ADD CONSTRAINT "verification_drafts_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verification_events" ADD CONSTRAINT "verification_events_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verification_events" ADD CONSTRAINT "verification_events_by_user_id_users_id_fk" FOREIGN KEY ("by_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "encounters" ADD CONSTRAINT "encounters_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "encounters" ADD CONSTRAINT "encounters_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "encounters" ADD CONSTRAINT "encounters_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "encounters" ADD CONSTRAINT "encounters_queue_entry_id_queue_entries_id_fk" FOREIGN KEY ("queue_entry_id") REFERENCES "public"."queue_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "encounters" ADD CONSTRAINT "encounters_practice" FOREIGN KEY ("practice_id","doctor_id") REFERENCES "public"."practices"("id","doctor_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "medicine_favourites" ADD CONSTRAINT "medicine_favourites_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_documents" ADD CONSTRAINT "visit_documents_encounter_id_encounters_id_fk" FOREIGN KEY ("encounter_id") REFERENCES "public"."encounters"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_documents" ADD CONSTRAINT "visit_documents_replaces_visit_documents_id_fk" FOREIGN KEY ("replaces") REFERENCES "public"."visit_documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_notes" ADD CONSTRAINT "visit_notes_document_id_visit_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."visit_documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "place_links" ADD CONSTRAINT "place_links_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_entries" ADD CONSTRAINT "queue_entries_session_id_queue_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."queue_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_entries" ADD CONSTRAINT "queue_entries_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_entries" ADD CONSTRAINT "queue_entries_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist_entries" ADD CONSTRAINT "waitlist_entries_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist_entries" ADD CONSTRAINT "waitlist_entries_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist_entries" ADD CONSTRAINT "waitlist_entries_practice_id_practices_id_fk" FOREIGN KEY ("practice_id") REFERENCES "public"."practices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist_entries" ADD CONSTRAINT "waitlist_entries_member_id_family_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."family_members"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist_entries" ADD CONSTRAINT "waitlist_entries_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist_offers" ADD CONSTRAINT "waitlist_offers_entry_id_waitlist_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."waitlist_entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist_offers" ADD CONSTRAINT "waitlist_offers_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waitlist_offers" ADD CONSTRAINT "waitlist_offers_practice_id_practices_id_fk" FOREIGN KEY ("practice_id") REFERENCES "public"."practices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_codes" ADD CONSTRAINT "wallet_codes_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_codes" ADD CONSTRAINT "wallet_codes_entry_id_wallet_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."wallet_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_codes" ADD CONSTRAINT "wallet_codes_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_entries" ADD CONSTRAINT "wallet_entries_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "notification_emails_token" ON "notification_emails" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "otp_challenges_phone" ON "otp_challenges" USING btree ("phone","purpose","created_at");--> statement-breakpoint
CREATE INDEX "otp_challenges_expiry" ON "otp_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkey_challenges_expiry" ON "passkey_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "password_resets_token" ON "password_resets" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "password_resets_user" ON "password_resets" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "password_resets_expiry" ON "password_resets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "rate_limits_key" ON "rate_limits" USING btree ("key","at");--> statement-breakpoint
CREATE INDEX "rate_limits_at" ON "rate_limits" USING btree ("at");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_id" ON "sessions" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_role_phone" ON "users" USING btree ("role","phone");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email") WHERE "users"."email" is not null;--> statement-breakpoint
CREATE INDEX "users_created" ON "users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "users_role_created" ON "users" USING btree ("role","created_at","id");--> statement-breakpoint
CREATE INDEX "users_disabled" ON "users" USING btree ("created_at","id") WHERE "users"."status" = 'disabled';--> statement-breakpoint
CREATE INDEX "users_phone_parts" ON "users" USING gin ("phone" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "users_email_parts" ON "users" USING gin ("email" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "users_staff_name_parts" ON "users" USING gin ("staff_name" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "announcement_recipients_user" ON "announcement_recipients" USING btree ("user_id") WHERE "announcement_recipients"."dismissed_at" is null;--> statement-breakpoint
CREATE INDEX "announcements_live" ON "announcements" USING btree ("ends_at") WHERE "announcements"."state" in ('sending', 'sent');--> statement-breakpoint
CREATE UNIQUE INDEX "appointment_proposals_one_open" ON "appointment_proposals" USING btree ("appointment_id") WHERE "appointment_proposals"."state" = 'proposed';--> statement-breakpoint
CREATE INDEX "appointment_proposals_due" ON "appointment_proposals" USING btree ("expires_at") WHERE "appointment_proposals"."state" = 'proposed';--> statement-breakpoint
CREATE INDEX "appointment_proposals_appointment" ON "appointment_proposals" USING btree ("appointment_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "appointments_once_per_patient" ON "appointments" USING btree ("doctor_id","date","time","patient_id","patient_name") WHERE "appointments"."status" in ('pending', 'accepted');--> statement-breakpoint
CREATE UNIQUE INDEX "appointments_idempotency" ON "appointments" USING btree ("patient_id","idempotency_key");--> statement-breakpoint
CREATE UNIQUE INDEX "appointments_payment_reference" ON "appointments" USING btree ("payment_reference");--> statement-breakpoint
CREATE INDEX "appointments_doctor_status" ON "appointments" USING btree ("doctor_id","status","date","time","fee","patient_id","patient_name","patient_phone");--> statement-breakpoint
CREATE INDEX "appointments_patient" ON "appointments" USING btree ("patient_id","date","time");--> statement-breakpoint
CREATE INDEX "appointments_coming" ON "appointments" USING btree ("date","time") WHERE "appointments"."status" in ('pending', 'accepted');--> statement-breakpoint
CREATE INDEX "appointments_prepay" ON "appointments" USING btree ("prepay_until") WHERE "appointments"."prepay_until" is not null and "appointments"."status" in ('pending', 'accepted');--> statement-breakpoint
CREATE INDEX "appointments_created" ON "appointments" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "appointments_missed" ON "appointments" USING btree ("doctor_id","status") WHERE "appointments"."no_show_at" is not null;--> statement-breakpoint
CREATE INDEX "appointments_tokens" ON "appointments" USING btree ("doctor_id","date","time") WHERE "appointments"."queue_session_id" is not null and "appointments"."status" <> 'cancelled';--> statement-breakpoint
CREATE INDEX "appointments_session" ON "appointments" USING btree ("queue_session_id") WHERE "appointments"."queue_session_id" is not null;--> statement-breakpoint
CREATE INDEX "medical_records_appointment" ON "medical_records" USING btree ("appointment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "medical_records_file" ON "medical_records" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "chat_messages_conversation" ON "chat_messages" USING btree ("conversation_id","seq");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_messages_request" ON "chat_messages" USING btree ("request_key") WHERE "chat_messages"."request_key" is not null;--> statement-breakpoint
CREATE INDEX "chat_messages_file" ON "chat_messages" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "conversations_owner" ON "conversations" USING btree ("owner_id","updated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "slot_claims_appointment" ON "slot_claims" USING btree ("appointment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "slot_claims_offer" ON "slot_claims" USING btree ("offer_id");--> statement-breakpoint
CREATE INDEX "doctor_places_doctor" ON "doctor_places" USING btree ("doctor_id");--> statement-breakpoint
CREATE INDEX "doctor_places_hospital" ON "doctor_places" USING btree ("hospital_id");--> statement-breakpoint
CREATE INDEX "doctor_places_words" ON "doctor_places" USING gin ("words") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "doctor_places_near" ON "doctor_places" USING gist ("globe");--> statement-breakpoint
CREATE INDEX "doctor_places_fee" ON "doctor_places" USING btree ("fee");--> statement-breakpoint
CREATE INDEX "leaves_doctor" ON "leaves" USING btree ("doctor_id","until") WHERE "leaves"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "practices_once_per_place" ON "practices" USING btree ("doctor_id","hospital_id") WHERE "practices"."state" <> 'closed';--> statement-breakpoint
CREATE INDEX "practices_place" ON "practices" USING btree ("hospital_id") WHERE "practices"."state" <> 'closed';--> statement-breakpoint
CREATE INDEX "emergency_runs_created" ON "emergency_runs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("subject_type","subject_id");--> statement-breakpoint
CREATE INDEX "audit_log_person" ON "audit_log" USING btree ("person_id","at");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id","at");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_seals_previous" ON "audit_seals" USING btree ("previous");--> statement-breakpoint
CREATE INDEX "audit_seals_kind" ON "audit_seals" USING btree ("kind","id");--> statement-breakpoint
CREATE INDEX "domain_events_visit_document" ON "domain_events" USING btree ("subject_id") WHERE "domain_events"."subject_kind" = 'visit-document';--> statement-breakpoint
CREATE INDEX "notifications_user" ON "notifications" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" USING btree ("user_id") WHERE "notifications"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notifications_deleted" ON "notifications" USING btree ("deleted_at") WHERE "notifications"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "outbox_messages_to" ON "outbox_messages" USING btree ("to","sent_at");--> statement-breakpoint
CREATE UNIQUE INDEX "family_members_person" ON "family_members" USING btree ("patient_id",lower("name"),"relation");--> statement-breakpoint
CREATE UNIQUE INDEX "favourites_doctor" ON "favourites" USING btree ("patient_id","doctor_id") WHERE "favourites"."doctor_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "favourites_hospital" ON "favourites" USING btree ("patient_id","hospital_id") WHERE "favourites"."hospital_id" is not null;--> statement-breakpoint
CREATE INDEX "favourites_doctor_of" ON "favourites" USING btree ("doctor_id");--> statement-breakpoint
CREATE INDEX "favourites_hospital_of" ON "favourites" USING btree ("hospital_id");--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_live" ON "memberships" USING btree ("user_id","hospital_id") WHERE "memberships"."state" in ('active', 'suspended');--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_invited" ON "memberships" USING btree ("hospital_id","email") WHERE "memberships"."state" = 'invited';--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_token" ON "memberships" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "memberships_place" ON "memberships" USING btree ("hospital_id","state");--> statement-breakpoint
CREATE UNIQUE INDEX "place_doctors_live" ON "place_doctors" USING btree ("doctor_id","hospital_id") WHERE "place_doctors"."state" <> 'ended';--> statement-breakpoint
CREATE INDEX "place_doctors_place" ON "place_doctors" USING btree ("hospital_id","state");--> statement-breakpoint
CREATE UNIQUE INDEX "account_returns_of_provider" ON "account_returns" USING btree ("provider","provider_transfer_id");--> statement-breakpoint
CREATE INDEX "account_returns_to_send" ON "account_returns" USING btree ("next_try_at") WHERE "account_returns"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "account_settlement_lines_transfer" ON "account_settlement_lines" USING btree ("provider","transfer_id");--> statement-breakpoint
CREATE INDEX "account_settlement_lines_source" ON "account_settlement_lines" USING btree ("provider","source_id");--> statement-breakpoint
CREATE INDEX "account_settlements_settled" ON "account_settlements" USING btree ("provider","settled_at");--> statement-breakpoint
CREATE INDEX "account_settlements_account" ON "account_settlements" USING btree ("provider","account","settled_at");--> statement-breakpoint
CREATE INDEX "ledger_entries_transfer" ON "ledger_entries" USING btree ("transfer_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_of_payment" ON "ledger_entries" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_doctor" ON "ledger_entries" USING btree ("doctor_id","at");--> statement-breakpoint
CREATE INDEX "ledger_entries_merchant" ON "ledger_entries" USING btree ("merchant_id","at");--> statement-breakpoint
CREATE INDEX "ledger_entries_appointment" ON "ledger_entries" USING btree ("appointment_id");--> statement-breakpoint
CREATE INDEX "payment_events_order" ON "payment_events" USING btree ("order_id","received_at");--> statement-breakpoint
CREATE INDEX "payment_events_received" ON "payment_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "payment_events_unapplied" ON "payment_events" USING btree ("received_at") WHERE "payment_events"."applied_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_orders_of_provider" ON "payment_orders" USING btree ("provider","provider_order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_orders_one_open" ON "payment_orders" USING btree ("appointment_id") WHERE "payment_orders"."state" = 'created';--> statement-breakpoint
CREATE INDEX "payment_orders_appointment" ON "payment_orders" USING btree ("appointment_id");--> statement-breakpoint
CREATE INDEX "payment_orders_created" ON "payment_orders" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_idempotency" ON "payments" USING btree ("appointment_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "payments_doctor" ON "payments" USING btree ("doctor_id","received_at");--> statement-breakpoint
CREATE INDEX "payments_merchant_online" ON "payments" USING btree ("merchant_id","received_at") WHERE "payments"."method" = 'online';--> statement-breakpoint
CREATE UNIQUE INDEX "payments_of_provider" ON "payments" USING btree ("provider_payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_accounts_of_provider" ON "payout_accounts" USING btree ("provider","account_id");--> statement-breakpoint
CREATE INDEX "payout_accounts_due" ON "payout_accounts" USING btree ("next_try_at");--> statement-breakpoint
CREATE UNIQUE INDEX "platform_fee_documents_number" ON "platform_fee_documents" USING btree ("kind","financial_year","number");--> statement-breakpoint
CREATE UNIQUE INDEX "provider_refunds_of_provider" ON "provider_refunds" USING btree ("provider","provider_refund_id");--> statement-breakpoint
CREATE INDEX "provider_refunds_to_send" ON "provider_refunds" USING btree ("next_try_at") WHERE "provider_refunds"."state" in ('pending', 'failed');--> statement-breakpoint
CREATE UNIQUE INDEX "receipts_number" ON "receipts" USING btree ("merchant_id","financial_year","number");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_idempotency" ON "refunds" USING btree ("payment_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "settlement_lines_line" ON "settlement_lines" USING btree ("provider","kind","line_id");--> statement-breakpoint
CREATE INDEX "settlement_lines_payment" ON "settlement_lines" USING btree ("provider","kind","payment_id");--> statement-breakpoint
CREATE INDEX "settlement_lines_settled" ON "settlement_lines" USING btree ("provider","settled_at");--> statement-breakpoint
CREATE INDEX "own_records_patient" ON "own_records" USING btree ("patient_id","date");--> statement-breakpoint
CREATE UNIQUE INDEX "own_records_file" ON "own_records" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "own_records_order" ON "own_records" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "record_permissions_one" ON "record_permissions" USING btree ("patient_id","person_key","doctor_id");--> statement-breakpoint
CREATE INDEX "record_permissions_doctor" ON "record_permissions" USING btree ("doctor_id","patient_id");--> statement-breakpoint
CREATE UNIQUE INDEX "record_shares_secret" ON "record_shares" USING btree ("secret_hash");--> statement-breakpoint
CREATE INDEX "record_shares_patient" ON "record_shares" USING btree ("patient_id","created_at");--> statement-breakpoint
CREATE INDEX "record_shares_document" ON "record_shares" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "record_shares_own" ON "record_shares" USING btree ("own_record_id");--> statement-breakpoint
CREATE INDEX "record_shares_medical" ON "record_shares" USING btree ("medical_record_id");--> statement-breakpoint
CREATE UNIQUE INDEX "cities_name_place" ON "cities" USING btree ("name","state","district");--> statement-breakpoint
CREATE INDEX "cities_search" ON "cities" USING btree ("search_name" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "cities_place" ON "cities" USING btree ("latitude","longitude");--> statement-breakpoint
CREATE INDEX "doctors_directory" ON "doctors" USING btree ("registration_status","category","full_name");--> statement-breakpoint
CREATE INDEX "doctors_name_parts" ON "doctors" USING gin ("full_name" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "doctors_city" ON "doctors" USING btree ("registration_status","city");--> statement-breakpoint
CREATE INDEX "doctors_hospital" ON "doctors" USING btree ("hospital_id");--> statement-breakpoint
CREATE INDEX "doctors_photo" ON "doctors" USING btree ("photo_file_id");--> statement-breakpoint
CREATE UNIQUE INDEX "doctors_council" ON "doctors" USING btree (lower("council_name"),"council_number");--> statement-breakpoint
CREATE UNIQUE INDEX "doctors_aadhaar" ON "doctors" USING btree ("aadhaar_mac");--> statement-breakpoint
CREATE UNIQUE INDEX "doctors_pan" ON "doctors" USING btree ("pan_mac");--> statement-breakpoint
CREATE INDEX "doctors_queue" ON "doctors" USING btree ("registration_status","submitted_at");--> statement-breakpoint
CREATE INDEX "doctors_words" ON "doctors" USING gin ("words") WITH (fastupdate=false) WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_by_name" ON "doctors" USING btree ("full_name","id") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_by_specialty" ON "doctors" USING btree ("primary_specialization","full_name","id") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_by_review" ON "doctors" USING btree (("rating_sum"::float8 / nullif("rating_count", 0)) desc nulls last,"rating_count" DESC NULLS LAST,"full_name","id") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_by_lowest_review" ON "doctors" USING btree (("rating_sum"::float8 / nullif("rating_count", 0)) asc nulls last,"rating_count" DESC NULLS LAST,"full_name","id") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_name_words" ON "doctors" USING gin ("name_words") WITH (fastupdate=false) WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_by_highest_fee" ON "doctors" USING btree ("consultation_fee" desc nulls last,"full_name","id") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_by_fee" ON "doctors" USING btree ("consultation_fee","full_name","id") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_by_experience" ON "doctors" USING btree ("experience_years","full_name","id") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_near" ON "doctors" USING gist ("globe") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "doctors_of_hospital" ON "doctors" USING btree ("hospital_id","category") WHERE "doctors"."registration_status" = 'verified';--> statement-breakpoint
CREATE INDEX "hospitals_city" ON "hospitals" USING btree ("status","city","name");--> statement-breakpoint
CREATE INDEX "hospitals_words" ON "hospitals" USING gin ("words") WITH (fastupdate=false) WHERE "hospitals"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hospitals_by_name" ON "hospitals" USING btree ("name","id") WHERE "hospitals"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hospitals_by_review" ON "hospitals" USING btree (("rating_sum"::float8 / nullif("rating_count", 0)) desc nulls last,"rating_count" DESC NULLS LAST,"name","id") WHERE "hospitals"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hospitals_by_lowest_review" ON "hospitals" USING btree (("rating_sum"::float8 / nullif("rating_count", 0)) asc nulls last,"rating_count" DESC NULLS LAST,"name","id") WHERE "hospitals"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hospitals_by_doctors" ON "hospitals" USING btree ("doctors_count" DESC NULLS LAST,"name","id") WHERE "hospitals"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hospitals_name_words" ON "hospitals" USING gin ("name_words") WITH (fastupdate=false) WHERE "hospitals"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hospitals_near" ON "hospitals" USING gist ("globe") WHERE "hospitals"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hospitals_treat" ON "hospitals" USING gin ("specialties") WHERE "hospitals"."status" = 'active';--> statement-breakpoint
CREATE INDEX "patients_created" ON "patients" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "patients_name_parts" ON "patients" USING gin ("name" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "patients_unclaimed" ON "patients" USING btree ("unclaimed_since") WHERE "patients"."unclaimed_since" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "profile_changes_open" ON "profile_changes" USING btree ("doctor_id","field") WHERE "profile_changes"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "profile_changes_doctor" ON "profile_changes" USING btree ("doctor_id","created_at");--> statement-breakpoint
CREATE INDEX "profile_changes_queue" ON "profile_changes" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "push_subscriptions_user" ON "push_subscriptions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "queue_sessions_doctor" ON "queue_sessions" USING btree ("doctor_id","date");--> statement-breakpoint
CREATE INDEX "files_owner" ON "files" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "files_pending" ON "files" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "files_plain" ON "files" USING btree ("id") WHERE not "files"."sealed";--> statement-breakpoint
CREATE INDEX "api_replays_created" ON "api_replays" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "review_reports_once" ON "review_reports" USING btree ("review_id","reporter_id");--> statement-breakpoint
CREATE INDEX "review_reports_reporter" ON "review_reports" USING btree ("reporter_id");--> statement-breakpoint
CREATE INDEX "review_reports_open" ON "review_reports" USING btree ("review_id","created_at") WHERE "review_reports"."decided_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_appointment" ON "reviews" USING btree ("appointment_id");--> statement-breakpoint
CREATE INDEX "reviews_doctor" ON "reviews" USING btree ("doctor_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "reviews_hospital" ON "reviews" USING btree ("hospital_id","status");--> statement-breakpoint
CREATE INDEX "reviews_patient" ON "reviews" USING btree ("patient_id");--> statement-breakpoint
CREATE INDEX "reviews_status" ON "reviews" USING btree ("status","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "short_names_current_hospital" ON "short_names" USING btree ("hospital_id") WHERE "short_names"."is_current";--> statement-breakpoint
CREATE UNIQUE INDEX "short_names_current_doctor" ON "short_names" USING btree ("doctor_id") WHERE "short_names"."is_current";--> statement-breakpoint
CREATE INDEX "short_names_hospital" ON "short_names" USING btree ("hospital_id");--> statement-breakpoint
CREATE INDEX "short_names_doctor" ON "short_names" USING btree ("doctor_id");--> statement-breakpoint
CREATE UNIQUE INDEX "support_messages_form" ON "support_messages" USING btree ("author_id","form_key");--> statement-breakpoint
CREATE INDEX "support_messages_thread" ON "support_messages" USING btree ("thread_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "support_threads_reference" ON "support_threads" USING btree ("reference");--> statement-breakpoint
CREATE INDEX "support_threads_user" ON "support_threads" USING btree ("user_id","last_message_at");--> statement-breakpoint
CREATE INDEX "support_threads_state" ON "support_threads" USING btree ("state","last_message_at");--> statement-breakpoint
CREATE INDEX "support_threads_waiting" ON "support_threads" USING btree ("waiting_since") WHERE "support_threads"."state" = 'open';--> statement-breakpoint
CREATE INDEX "case_assignments_user" ON "case_assignments" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "doctor_documents_doctor" ON "doctor_documents" USING btree ("doctor_id","kind");--> statement-breakpoint
CREATE UNIQUE INDEX "doctor_documents_file" ON "doctor_documents" USING btree ("file_id");--> statement-breakpoint
CREATE UNIQUE INDEX "doctor_documents_same" ON "doctor_documents" USING btree ("doctor_id","kind","fingerprint");--> statement-breakpoint
CREATE INDEX "hospital_reviewers_user" ON "hospital_reviewers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "reviewer_invitations_open" ON "reviewer_invitations" USING btree ("hospital_id") WHERE "reviewer_invitations"."accepted_at" is null;--> statement-breakpoint
CREATE INDEX "verification_events_doctor" ON "verification_events" USING btree ("doctor_id","at");--> statement-breakpoint
CREATE INDEX "encounters_person" ON "encounters" USING btree ("doctor_id","person_key","date");--> statement-breakpoint
CREATE INDEX "encounters_patient" ON "encounters" USING btree ("patient_id","date");--> statement-breakpoint
CREATE INDEX "encounters_follow_up" ON "encounters" USING btree ("follow_up_on") WHERE "encounters"."follow_up_on" is not null;--> statement-breakpoint
CREATE INDEX "medicine_favourites_doctor" ON "medicine_favourites" USING btree ("doctor_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "visit_documents_code" ON "visit_documents" USING btree ("code");--> statement-breakpoint
CREATE UNIQUE INDEX "visit_documents_one_draft" ON "visit_documents" USING btree ("encounter_id","kind") WHERE "visit_documents"."state" = 'draft';--> statement-breakpoint
CREATE UNIQUE INDEX "visit_documents_one_prescription" ON "visit_documents" USING btree ("encounter_id") WHERE "visit_documents"."state" = 'signed' and "visit_documents"."kind" = 'prescription';--> statement-breakpoint
CREATE UNIQUE INDEX "visit_documents_one_successor" ON "visit_documents" USING btree ("replaces") WHERE "visit_documents"."state" not in ('draft', 'discarded');--> statement-breakpoint
CREATE INDEX "visit_documents_encounter" ON "visit_documents" USING btree ("encounter_id","signed_at");--> statement-breakpoint
CREATE UNIQUE INDEX "queue_entries_form" ON "queue_entries" USING btree ("session_id","form_key");--> statement-breakpoint
CREATE UNIQUE INDEX "queue_entries_one_per_person" ON "queue_entries" USING btree ("session_id","person_key") WHERE "queue_entries"."state" in ('expected', 'arrived', 'called', 'with-doctor', 'skipped');--> statement-breakpoint
CREATE UNIQUE INDEX "queue_entries_one_per_appointment" ON "queue_entries" USING btree ("appointment_id") WHERE "queue_entries"."state" in ('expected', 'arrived', 'called', 'with-doctor', 'skipped');--> statement-breakpoint
CREATE UNIQUE INDEX "queue_entries_one_with_doctor" ON "queue_entries" USING btree ("session_id") WHERE "queue_entries"."state" = 'with-doctor';--> statement-breakpoint
CREATE INDEX "queue_entries_patient" ON "queue_entries" USING btree ("patient_id");--> statement-breakpoint
CREATE UNIQUE INDEX "waitlist_entries_live" ON "waitlist_entries" USING btree ("patient_id","doctor_id",lower("patient_name")) WHERE "waitlist_entries"."state" not in ('taken', 'ended');--> statement-breakpoint
CREATE INDEX "waitlist_entries_order" ON "waitlist_entries" USING btree ("doctor_id","number") WHERE "waitlist_entries"."state" not in ('taken', 'ended');--> statement-breakpoint
CREATE UNIQUE INDEX "waitlist_offers_live" ON "waitlist_offers" USING btree ("entry_id") WHERE "waitlist_offers"."state" = 'offered';--> statement-breakpoint
CREATE UNIQUE INDEX "waitlist_offers_once" ON "waitlist_offers" USING btree ("entry_id","date","time") WHERE "waitlist_offers"."state" <> 'withdrawn';--> statement-breakpoint
CREATE INDEX "waitlist_offers_doctor" ON "waitlist_offers" USING btree ("doctor_id","date");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_codes_code" ON "wallet_codes" USING btree ("code");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_codes_entry" ON "wallet_codes" USING btree ("entry_id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_codes_appointment" ON "wallet_codes" USING btree ("appointment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_codes_idempotency" ON "wallet_codes" USING btree ("patient_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "wallet_codes_ready" ON "wallet_codes" USING btree ("patient_id","created_at") WHERE "wallet_codes"."appointment_id" is null;--> statement-breakpoint
CREATE INDEX "wallet_entries_patient" ON "wallet_entries" USING btree ("patient_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_entries_mission_once" ON "wallet_entries" USING btree ("patient_id","about","round") WHERE "wallet_entries"."kind" = 'mission';--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_entries_reversal_once" ON "wallet_entries" USING btree ("patient_id","about","round") WHERE "wallet_entries"."kind" = 'reversal';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("endpoint_id","next_at") WHERE "webhook_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_list" ON "webhook_deliveries" USING btree ("endpoint_id","created_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_place" ON "webhook_endpoints" USING btree ("hospital_id","state");