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
CREATE UNIQUE INDEX "audit_seals_previous" ON "audit_seals" USING btree ("previous");--> statement-breakpoint
CREATE INDEX "audit_seals_kind" ON "audit_seals" USING btree ("kind","id");