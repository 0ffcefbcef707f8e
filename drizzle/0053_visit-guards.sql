-- Custom SQL migration file. What a doctor signed stays as it was signed.
CREATE FUNCTION visit_documents_signed_stays() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was jsonb := to_jsonb(OLD) - ARRAY['state', 'ended_at', 'updated_at', 'data_key'];
  becomes jsonb := to_jsonb(NEW) - ARRAY['state', 'ended_at', 'updated_at', 'data_key'];
BEGIN
  IF OLD.state = 'draft' THEN
    IF (OLD.id, OLD.encounter_id, OLD.kind, OLD.created_at) IS DISTINCT FROM (NEW.id, NEW.encounter_id, NEW.kind, NEW.created_at)
      OR NEW.state NOT IN ('draft', 'signed', 'discarded') THEN
      RAISE EXCEPTION 'a draft of a visit can only be saved, signed or discarded';
    END IF;
    RETURN NEW;
  END IF;
  IF was IS DISTINCT FROM becomes
    OR (OLD.state, OLD.ended_at) IS DISTINCT FROM (NEW.state, NEW.ended_at) AND NOT (OLD.state = 'signed' AND NEW.state IN ('superseded', 'cancelled')) THEN
    RAISE EXCEPTION 'a signed document of a visit cannot be changed';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER visit_documents_signed_stays BEFORE UPDATE ON visit_documents FOR EACH ROW EXECUTE FUNCTION visit_documents_signed_stays();--> statement-breakpoint
CREATE FUNCTION visit_notes_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_jsonb(OLD) - 'data_key' IS DISTINCT FROM to_jsonb(NEW) - 'data_key' THEN
    RAISE EXCEPTION 'a signed note of a visit cannot be changed';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER visit_notes_stay BEFORE UPDATE ON visit_notes FOR EACH ROW EXECUTE FUNCTION visit_notes_stay();--> statement-breakpoint
CREATE FUNCTION visits_are_not_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are not deleted', TG_TABLE_NAME;
END $$;--> statement-breakpoint
CREATE TRIGGER visit_documents_not_deleted BEFORE DELETE OR TRUNCATE ON visit_documents FOR EACH STATEMENT EXECUTE FUNCTION visits_are_not_deleted();--> statement-breakpoint
CREATE TRIGGER visit_notes_not_deleted BEFORE DELETE OR TRUNCATE ON visit_notes FOR EACH STATEMENT EXECUTE FUNCTION visits_are_not_deleted();--> statement-breakpoint
-- A visit stays that of its doctor and its patient. An account may be found later.
CREATE FUNCTION encounters_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.doctor_id, OLD.appointment_id, OLD.queue_entry_id, OLD.date) IS DISTINCT FROM (NEW.id, NEW.doctor_id, NEW.appointment_id, NEW.queue_entry_id, NEW.date)
    OR OLD.patient_id IS NOT NULL AND OLD.patient_id IS DISTINCT FROM NEW.patient_id THEN
    RAISE EXCEPTION 'a visit stays that of its doctor and its patient';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER encounters_stay BEFORE UPDATE ON encounters FOR EACH ROW EXECUTE FUNCTION encounters_stay();
