CREATE TABLE "clinic_exports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"hospital_id" uuid,
	"doctor_id" uuid,
	"kind" text NOT NULL,
	"format" text NOT NULL,
	"file_id" uuid,
	"row_count" integer DEFAULT 0 NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "clinic_exports_of_one" CHECK (num_nonnulls("clinic_exports"."hospital_id", "clinic_exports"."doctor_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "clinic_patients" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"hospital_id" uuid,
	"doctor_id" uuid,
	"patient_id" uuid,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"phone" text,
	"birth_date" date,
	"birth_about" boolean DEFAULT false NOT NULL,
	"gender" text,
	"blood_group" text,
	"address" text,
	"number" text,
	"note" text,
	"import_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "clinic_patients_of_one" CHECK (num_nonnulls("clinic_patients"."hospital_id", "clinic_patients"."doctor_id") = 1),
	CONSTRAINT "clinic_patients_account" CHECK ("clinic_patients"."phone" is not null or "clinic_patients"."patient_id" is null)
);
--> statement-breakpoint
CREATE TABLE "import_rows" (
	"import_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"group" text NOT NULL,
	"reason" text,
	"content" jsonb NOT NULL,
	"like_id" uuid,
	"like_row" integer,
	"decision" text,
	"outcome" text,
	"clinic_patient_id" uuid,
	"past_appointment_id" uuid,
	"appointment_id" uuid,
	"account_id" uuid,
	"merged" jsonb,
	CONSTRAINT "import_rows_pk" PRIMARY KEY("import_id","number")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"hospital_id" uuid,
	"doctor_id" uuid,
	"kind" text NOT NULL,
	"state" text DEFAULT 'uploaded' NOT NULL,
	"file_id" uuid,
	"reading" jsonb NOT NULL,
	"mapping" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"date_order" text DEFAULT 'dmy' NOT NULL,
	"row_count" integer NOT NULL,
	"column_count" integer NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"fault" text,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"checked_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"undone_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "imports_of_one" CHECK (num_nonnulls("imports"."hospital_id", "imports"."doctor_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "past_appointments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"clinic_patient_id" uuid NOT NULL,
	"doctor_id" uuid,
	"doctor_name" text DEFAULT '' NOT NULL,
	"date" date NOT NULL,
	"time" time,
	"status" text NOT NULL,
	"fee" bigint,
	"paid" bigint,
	"import_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "clinic_exports" ADD CONSTRAINT "clinic_exports_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clinic_exports" ADD CONSTRAINT "clinic_exports_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clinic_exports" ADD CONSTRAINT "clinic_exports_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clinic_exports" ADD CONSTRAINT "clinic_exports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clinic_patients" ADD CONSTRAINT "clinic_patients_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clinic_patients" ADD CONSTRAINT "clinic_patients_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clinic_patients" ADD CONSTRAINT "clinic_patients_patient_id_patients_id_fk" FOREIGN KEY ("patient_id") REFERENCES "public"."patients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clinic_patients" ADD CONSTRAINT "clinic_patients_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_clinic_patient_id_clinic_patients_id_fk" FOREIGN KEY ("clinic_patient_id") REFERENCES "public"."clinic_patients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_past_appointment_id_past_appointments_id_fk" FOREIGN KEY ("past_appointment_id") REFERENCES "public"."past_appointments"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_hospital_id_hospitals_id_fk" FOREIGN KEY ("hospital_id") REFERENCES "public"."hospitals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "past_appointments" ADD CONSTRAINT "past_appointments_clinic_patient_id_clinic_patients_id_fk" FOREIGN KEY ("clinic_patient_id") REFERENCES "public"."clinic_patients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "past_appointments" ADD CONSTRAINT "past_appointments_doctor_id_doctors_id_fk" FOREIGN KEY ("doctor_id") REFERENCES "public"."doctors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "past_appointments" ADD CONSTRAINT "past_appointments_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "clinic_exports_hospital" ON "clinic_exports" USING btree ("hospital_id","created_at");--> statement-breakpoint
CREATE INDEX "clinic_exports_doctor" ON "clinic_exports" USING btree ("doctor_id","created_at");--> statement-breakpoint
CREATE INDEX "clinic_exports_expired" ON "clinic_exports" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "clinic_patients_hospital" ON "clinic_patients" USING btree ("hospital_id","name_key","id") WHERE "clinic_patients"."hospital_id" is not null;--> statement-breakpoint
CREATE INDEX "clinic_patients_doctor" ON "clinic_patients" USING btree ("doctor_id","name_key","id") WHERE "clinic_patients"."doctor_id" is not null;--> statement-breakpoint
CREATE INDEX "clinic_patients_phone" ON "clinic_patients" USING btree ("phone");--> statement-breakpoint
CREATE INDEX "clinic_patients_patient" ON "clinic_patients" USING btree ("patient_id");--> statement-breakpoint
CREATE INDEX "clinic_patients_import" ON "clinic_patients" USING btree ("import_id");--> statement-breakpoint
CREATE INDEX "import_rows_group" ON "import_rows" USING btree ("import_id","group","number");--> statement-breakpoint
CREATE INDEX "import_rows_patient" ON "import_rows" USING btree ("clinic_patient_id") WHERE "import_rows"."clinic_patient_id" is not null;--> statement-breakpoint
CREATE INDEX "imports_hospital" ON "imports" USING btree ("hospital_id","created_at");--> statement-breakpoint
CREATE INDEX "imports_doctor" ON "imports" USING btree ("doctor_id","created_at");--> statement-breakpoint
CREATE INDEX "imports_created" ON "imports" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "past_appointments_patient" ON "past_appointments" USING btree ("clinic_patient_id","date");--> statement-breakpoint
CREATE INDEX "past_appointments_import" ON "past_appointments" USING btree ("import_id");