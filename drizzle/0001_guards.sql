-- Directory: words that are found, doctors of each place, translations

-- A hospital's doctors are found by its name. Whoever changes the name holds the doctors first (holdDoctorsOf).
CREATE FUNCTION hospitals_rename_in_doctors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE doctors SET hospital_id = hospital_id WHERE hospital_id = NEW.id;
  RETURN NULL;
END $$;--> statement-breakpoint
-- Words by their sound, for names typed in Telugu or Devanagari letters. The same rules as soundKey in app/lib/sound.ts, which a
-- test compares; only such searches come here.
CREATE FUNCTION search_sound(word text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  w text := regexp_replace(lower(word), '[^a-z]', '', 'g');
BEGIN
  w := replace(replace(replace(w, 'x', 'ks'), 'ph', 'f'), 'ck', 'k');
  w := regexp_replace(w, 'a[vw]u?$', 'o');
  w := regexp_replace(w, 'au|ao|ou', 'o', 'g');
  w := regexp_replace(w, '[ao]w(?![aeiou])', 'o', 'g');
  w := regexp_replace(w, 'c(?=[eiy])', 's', 'g');
  w := regexp_replace(w, 'g(?=[ei])', 'j', 'g');
  w := translate(replace(w, 'ch', '0'), 'cq0zwm', 'kkcjvn');
  w := regexp_replace(left(w, 1), '[aeiou]', 'a') || translate(substr(w, 2), 'haeiouy', '');
  RETURN regexp_replace(w, '(.)\1+', '\1', 'g');
END $$;--> statement-breakpoint
-- Words in small letters, each once; domains/directory/words.ts cuts what is typed in the same way.
CREATE FUNCTION words_of(VARIADIC parts text[]) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(array_remove(regexp_split_to_array(lower(left(array_to_string(parts, ' '), 1000)), '[\s!-/:-@\[-`{-~]+'), ''))
$$;--> statement-breakpoint
-- Every word that can be found: what a mistyped one may have meant. Made anew at each start and every hour.
CREATE MATERIALIZED VIEW search_words AS
  SELECT DISTINCT word FROM (
    SELECT unnest(tsvector_to_array(words)) AS word FROM doctors WHERE registration_status = 'verified'
    UNION ALL SELECT unnest(tsvector_to_array(words)) FROM hospitals WHERE status = 'active'
  ) found WHERE length(word) BETWEEN 3 AND 40;--> statement-breakpoint
CREATE UNIQUE INDEX search_words_word ON search_words (word);--> statement-breakpoint
CREATE INDEX search_words_alike ON search_words USING gin (word gin_trgm_ops);--> statement-breakpoint
CREATE INDEX search_words_begin ON search_words (left(word, 1), length(word));--> statement-breakpoint
CREATE INDEX search_words_sound ON search_words (search_sound(word) text_pattern_ops);--> statement-breakpoint
-- The application's role owns nothing. What it needs of the owner's rights are these two functions, and no more.
CREATE FUNCTION refresh_search_words() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  REFRESH MATERIALIZED VIEW CONCURRENTLY public.search_words;
END $$;--> statement-breakpoint
-- The directory search also finds the names in Telugu and Hindi.
CREATE FUNCTION translated_words(translations jsonb, VARIADIC fields text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(texts.value ->> field, ' '), '')
  FROM jsonb_each(translations) AS texts, unnest(fields) AS field
$$;--> statement-breakpoint
CREATE FUNCTION doctors_set_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_words := words_of(NEW.full_name, translated_words(NEW.translations, 'name'));
  NEW.words := words_of(NEW.full_name, translated_words(NEW.translations, 'name', 'area'), NEW.primary_specialization, NEW.category, NEW.area, NEW.city,
    (SELECT name || ' ' || area || ' ' || translated_words(translations, 'name', 'area') FROM hospitals WHERE id = NEW.hospital_id), NEW.additional_specializations);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION hospitals_set_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_words := words_of(NEW.name, translated_words(NEW.translations, 'name'));
  NEW.words := words_of(NEW.name, translated_words(NEW.translations, 'name', 'area', 'address'), NEW.category, array_to_string(NEW.specialties, ' '), NEW.area, NEW.city, NEW.address);
  RETURN NEW;
END $$;--> statement-breakpoint
-- A text in another language belongs to the text it translates: a changed name must not show under its old translation.
-- These triggers fire before doctors_words and hospitals_words (in the order of their names), so the search words are right too.
CREATE FUNCTION without_texts(translations jsonb, VARIADIC stale text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_object_agg(texts.key, texts.value - array_remove(stale, NULL)), '{}') FROM jsonb_each(translations) AS texts
$$;--> statement-breakpoint
CREATE FUNCTION doctors_drop_stale_translations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.translations <> '{}' AND NEW.translations = OLD.translations THEN
    NEW.translations := without_texts(NEW.translations,
      CASE WHEN NEW.full_name <> OLD.full_name THEN 'name' END,
      CASE WHEN NEW.area <> OLD.area THEN 'area' END,
      CASE WHEN NEW.about <> OLD.about THEN 'about' END,
      CASE WHEN NEW.additional_specializations <> OLD.additional_specializations THEN 'treats' END);
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION hospitals_drop_stale_translations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.translations <> '{}' AND NEW.translations = OLD.translations THEN
    NEW.translations := without_texts(NEW.translations,
      CASE WHEN NEW.name <> OLD.name THEN 'name' END,
      CASE WHEN NEW.area <> OLD.area THEN 'area' END,
      CASE WHEN NEW.address <> OLD.address THEN 'address' END,
      CASE WHEN NEW.about <> OLD.about THEN 'about' END,
      CASE WHEN NEW.working_hours <> OLD.working_hours THEN 'hours' END);
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
-- Fills the rows again of the given practices. One without an active practice at a listed place has none. The order of locks: hospitals, then rows.
CREATE FUNCTION refresh_doctor_places(which uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM doctor_places l WHERE l.practice_id = ANY (which) AND NOT EXISTS (
    SELECT FROM practices p JOIN hospitals h ON h.id = p.hospital_id
    WHERE p.id = l.practice_id AND p.state = 'active' AND h.status = 'active');
  INSERT INTO doctor_places (practice_id, doctor_id, hospital_id, fee, globe, words)
    SELECT p.id, p.doctor_id, h.id, coalesce(p.fee, d.consultation_fee), h.globe,
      words_of(d.full_name, translated_words(d.translations, 'name'), d.primary_specialization, d.category, h.area, h.city,
        h.name || ' ' || translated_words(h.translations, 'name', 'area'), d.additional_specializations)
    FROM practices p JOIN hospitals h ON h.id = p.hospital_id JOIN doctors d ON d.id = p.doctor_id
    WHERE p.id = ANY (which) AND p.state = 'active' AND h.status = 'active'
    ON CONFLICT (practice_id) DO UPDATE SET hospital_id = excluded.hospital_id, fee = excluded.fee, globe = excluded.globe, words = excluded.words;
END $$;--> statement-breakpoint
-- How many listed doctors a hospital has, at whichever of their practices, and their categories.
CREATE FUNCTION recount_doctors_of(which uuid[]) RETURNS void LANGUAGE sql AS $$
  UPDATE hospitals h SET doctors_count = found.n, doctor_categories = found.categories
  FROM unnest(which) AS changed(id), LATERAL (
    SELECT count(*)::int AS n, coalesce(array_agg(DISTINCT category), '{}') AS categories
    FROM doctors d WHERE d.registration_status = 'verified' AND (d.hospital_id = changed.id
      OR d.id IN (SELECT l.doctor_id FROM doctor_places l WHERE l.hospital_id = changed.id))) found
  WHERE h.id = changed.id AND (h.doctors_count, h.doctor_categories) IS DISTINCT FROM (found.n, found.categories)
$$;--> statement-breakpoint
CREATE FUNCTION hospitals_count_doctors() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was uuid := CASE WHEN TG_OP <> 'INSERT' AND OLD.registration_status = 'verified' THEN OLD.hospital_id END;
  now_in uuid := CASE WHEN TG_OP <> 'DELETE' AND NEW.registration_status = 'verified' THEN NEW.hospital_id END;
  changed uuid[] := ARRAY[was, now_in];
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.registration_status, OLD.category) IS DISTINCT FROM (NEW.registration_status, NEW.category) THEN
    changed := changed || ARRAY(SELECT hospital_id FROM doctor_places WHERE doctor_id = NEW.id);
  ELSIF was IS NOT DISTINCT FROM now_in THEN
    RETURN NULL;
  END IF;
  changed := ARRAY(SELECT DISTINCT id FROM unnest(changed) AS of(id) WHERE id IS NOT NULL);
  IF cardinality(changed) > 0 THEN
    PERFORM FROM hospitals WHERE id = ANY (changed) ORDER BY id FOR NO KEY UPDATE;
    PERFORM recount_doctors_of(changed);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION practices_list_doctor() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed uuid[] := ARRAY[CASE WHEN TG_OP <> 'INSERT' THEN OLD.hospital_id END, CASE WHEN TG_OP <> 'DELETE' THEN NEW.hospital_id END];
BEGIN
  PERFORM FROM hospitals WHERE id = ANY (changed) ORDER BY id FOR NO KEY UPDATE;
  PERFORM refresh_doctor_places(ARRAY[CASE WHEN TG_OP = 'DELETE' THEN OLD.id ELSE NEW.id END]);
  PERFORM recount_doctors_of(ARRAY(SELECT DISTINCT id FROM unnest(changed) AS of(id) WHERE id IS NOT NULL));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION doctors_list_at_places() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_doctor_places(ARRAY(SELECT id FROM practices WHERE doctor_id = NEW.id AND hospital_id IS NOT NULL AND state = 'active'));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION hospitals_list_doctors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_doctor_places(ARRAY(SELECT id FROM practices WHERE hospital_id = NEW.id AND state = 'active'));
  IF OLD.status <> NEW.status THEN
    PERFORM recount_doctors_of(ARRAY[NEW.id]);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE INDEX cities_sound ON cities (search_sound(search_name) text_pattern_ops);--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION refresh_search_words() FROM PUBLIC;--> statement-breakpoint
CREATE TRIGGER doctors_counted_in_hospital AFTER INSERT OR DELETE OR UPDATE OF registration_status, hospital_id, category
  ON doctors FOR EACH ROW EXECUTE FUNCTION hospitals_count_doctors();--> statement-breakpoint
CREATE TRIGGER doctors_words BEFORE INSERT OR UPDATE OF full_name, translations, primary_specialization, category, area, city, hospital_id, additional_specializations
  ON doctors FOR EACH ROW EXECUTE FUNCTION doctors_set_words();--> statement-breakpoint
CREATE TRIGGER hospitals_words BEFORE INSERT OR UPDATE OF name, translations, category, specialties, area, city, address
  ON hospitals FOR EACH ROW EXECUTE FUNCTION hospitals_set_words();--> statement-breakpoint
CREATE TRIGGER hospitals_renamed AFTER UPDATE OF name, area, translations ON hospitals FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name OR OLD.area IS DISTINCT FROM NEW.area OR OLD.translations IS DISTINCT FROM NEW.translations)
  EXECUTE FUNCTION hospitals_rename_in_doctors();--> statement-breakpoint
CREATE TRIGGER doctors_stale_translations BEFORE UPDATE OF full_name, area, about, additional_specializations
  ON doctors FOR EACH ROW EXECUTE FUNCTION doctors_drop_stale_translations();--> statement-breakpoint
CREATE TRIGGER hospitals_stale_translations BEFORE UPDATE OF name, area, address, about, working_hours
  ON hospitals FOR EACH ROW EXECUTE FUNCTION hospitals_drop_stale_translations();--> statement-breakpoint
CREATE TRIGGER practices_opened AFTER INSERT ON practices FOR EACH ROW
  WHEN (NEW.hospital_id IS NOT NULL) EXECUTE FUNCTION practices_list_doctor();--> statement-breakpoint
CREATE TRIGGER practices_changed AFTER UPDATE OF state, hospital_id, fee ON practices FOR EACH ROW
  WHEN ((OLD.state, OLD.hospital_id, OLD.fee) IS DISTINCT FROM (NEW.state, NEW.hospital_id, NEW.fee)) EXECUTE FUNCTION practices_list_doctor();--> statement-breakpoint
CREATE TRIGGER practices_removed AFTER DELETE ON practices FOR EACH ROW
  WHEN (OLD.hospital_id IS NOT NULL) EXECUTE FUNCTION practices_list_doctor();--> statement-breakpoint
CREATE TRIGGER doctors_changed_at_places AFTER UPDATE OF full_name, translations, primary_specialization, category, additional_specializations, consultation_fee
  ON doctors FOR EACH ROW
  WHEN ((OLD.full_name, OLD.translations, OLD.primary_specialization, OLD.category, OLD.additional_specializations, OLD.consultation_fee)
    IS DISTINCT FROM (NEW.full_name, NEW.translations, NEW.primary_specialization, NEW.category, NEW.additional_specializations, NEW.consultation_fee))
  EXECUTE FUNCTION doctors_list_at_places();--> statement-breakpoint
CREATE TRIGGER hospitals_changed_places AFTER UPDATE OF name, translations, area, city, latitude, longitude, status ON hospitals FOR EACH ROW
  WHEN ((OLD.name, OLD.translations, OLD.area, OLD.city, OLD.latitude, OLD.longitude, OLD.status)
    IS DISTINCT FROM (NEW.name, NEW.translations, NEW.area, NEW.city, NEW.latitude, NEW.longitude, NEW.status))
  EXECUTE FUNCTION hospitals_list_doctors();--> statement-breakpoint
-- Short addresses of doctors and hospitals

CREATE FUNCTION short_name_of(words text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT trim(BOTH '-' FROM left(trim(BOTH '-' FROM regexp_replace(
    regexp_replace(normalize(lower(words), NFD), '[\u0300-\u036f]', '', 'g'), '[^a-z0-9]+', '-', 'g')), 60))
$$;--> statement-breakpoint
-- The second and third of a name get a number, further ones a part of their id, so that many equal names cost three tries.
CREATE FUNCTION give_short_name(of_kind text, of_id uuid, words text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  base text := coalesce(nullif(short_name_of(words), ''), of_kind);
  tried text;
  n int := 1;
BEGIN
  LOOP
    tried := CASE WHEN n = 1 THEN base WHEN n <= 3 THEN base || '-' || n ELSE base || '-' || left(md5(of_id::text || n), 8) END;
    INSERT INTO short_names (kind, slug, hospital_id, doctor_id)
      VALUES (of_kind, tried, CASE WHEN of_kind = 'hospital' THEN of_id END, CASE WHEN of_kind = 'doctor' THEN of_id END)
      ON CONFLICT (kind, slug) DO NOTHING;
    EXIT WHEN FOUND;
    n := n + 1;
  END LOOP;
END $$;--> statement-breakpoint
CREATE FUNCTION hospitals_short_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM short_names WHERE hospital_id = NEW.id) THEN
    PERFORM give_short_name('hospital', NEW.id, NEW.name || ' ' || NEW.city);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION doctors_short_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM short_names WHERE doctor_id = NEW.id) THEN
    PERFORM give_short_name('doctor', NEW.id, NEW.full_name || ' ' || NEW.city);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER hospitals_short_name_made AFTER INSERT ON hospitals FOR EACH ROW
  WHEN (NEW.status = 'active') EXECUTE FUNCTION hospitals_short_name();--> statement-breakpoint
CREATE TRIGGER hospitals_short_name_listed AFTER UPDATE OF status ON hospitals FOR EACH ROW
  WHEN (NEW.status = 'active' AND OLD.status <> 'active') EXECUTE FUNCTION hospitals_short_name();--> statement-breakpoint
CREATE TRIGGER doctors_short_name_made AFTER INSERT ON doctors FOR EACH ROW
  WHEN (NEW.registration_status = 'verified') EXECUTE FUNCTION doctors_short_name();--> statement-breakpoint
CREATE TRIGGER doctors_short_name_listed AFTER UPDATE OF registration_status ON doctors FOR EACH ROW
  WHEN (NEW.registration_status = 'verified' AND OLD.registration_status <> 'verified') EXECUTE FUNCTION doctors_short_name();--> statement-breakpoint
-- Practices, times and seats

-- A doctor is in one place at a time.
ALTER TABLE availability_slots ADD CONSTRAINT availability_one_place_at_a_time EXCLUDE USING gist (
  doctor_id WITH =, practice_id WITH <>, tsrange(date + time, date + time + make_interval(mins => minutes::int)) WITH &&);--> statement-breakpoint
ALTER TABLE practice_hours ADD CONSTRAINT practice_hours_one_place_at_a_time EXCLUDE USING gist (
  doctor_id WITH =, weekday WITH =, int4range((extract(epoch FROM "from") / 60)::int, (extract(epoch FROM "until") / 60)::int) WITH &&);--> statement-breakpoint
CREATE FUNCTION doctors_open_first_practice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO practices (id, doctor_id) SELECT id, id FROM added;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION first_practice_by_default() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.practice_id := NEW.doctor_id;
  RETURN NEW;
END $$;--> statement-breakpoint
-- Takes the lowest free seat of the time. An insert that meets a transaction under way waits for it, so two can never take one seat. A token takes no
-- claim: the seats of its session limit it, counted under the lock of the session.
CREATE FUNCTION appointments_claim_seat() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  offered int;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM slot_claims WHERE appointment_id = NEW.id;
  END IF;
  IF NEW.status = 'cancelled' THEN
    RETURN NULL;
  END IF;
  IF NEW.queue_session_id IS NOT NULL THEN
    SELECT seats INTO offered FROM queue_sessions WHERE id = NEW.queue_session_id FOR NO KEY UPDATE;
    IF (SELECT count(*) FROM appointments WHERE queue_session_id = NEW.queue_session_id AND status <> 'cancelled') > coalesce(offered, 0) THEN
      RAISE unique_violation USING MESSAGE = 'all tokens of this session are taken', CONSTRAINT = 'queue_sessions_seats_taken', TABLE = 'appointments';
    END IF;
    RETURN NULL;
  END IF;
  SELECT seats INTO offered FROM availability_slots WHERE doctor_id = NEW.doctor_id AND date = NEW.date AND time = NEW.time;
  FOR free IN 1..coalesce(offered, 1) LOOP
    INSERT INTO slot_claims (doctor_id, date, time, seat, kind, appointment_id, created_at)
      VALUES (NEW.doctor_id, NEW.date, NEW.time, free, 'visit', NEW.id, NEW.updated_at) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      RETURN NULL;
    END IF;
  END LOOP;
  RAISE unique_violation USING MESSAGE = 'all seats of this time are taken', CONSTRAINT = 'slot_claims_one_per_seat', TABLE = 'slot_claims';
END $$;--> statement-breakpoint
CREATE TRIGGER doctors_first_practice AFTER INSERT ON doctors REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION doctors_open_first_practice();--> statement-breakpoint
CREATE TRIGGER slots_first_practice BEFORE INSERT ON availability_slots FOR EACH ROW
  WHEN (NEW.practice_id IS NULL) EXECUTE FUNCTION first_practice_by_default();--> statement-breakpoint
CREATE TRIGGER appointments_first_practice BEFORE INSERT ON appointments FOR EACH ROW
  WHEN (NEW.practice_id IS NULL) EXECUTE FUNCTION first_practice_by_default();--> statement-breakpoint
CREATE TRIGGER appointments_claim AFTER INSERT ON appointments FOR EACH ROW EXECUTE FUNCTION appointments_claim_seat();--> statement-breakpoint
CREATE TRIGGER appointments_claim_again AFTER UPDATE OF status, doctor_id, date, time, queue_session_id ON appointments FOR EACH ROW
  WHEN ((OLD.status = 'cancelled') <> (NEW.status = 'cancelled')
    OR (OLD.doctor_id, OLD.date, OLD.time, OLD.queue_session_id) IS DISTINCT FROM (NEW.doctor_id, NEW.date, NEW.time, NEW.queue_session_id))
  EXECUTE FUNCTION appointments_claim_seat();--> statement-breakpoint
-- Audit log and its seals

-- Seals are only added.
CREATE FUNCTION audit_seals_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_seals is append-only';
END $$;--> statement-breakpoint
-- Every new row of the log is in this list from its own commit until it is sealed. No transaction waits: each adds its own rows.
CREATE FUNCTION audit_log_wants_seal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO audit_unsealed (audit_id) SELECT id FROM added;
  RETURN NULL;
END $$;--> statement-breakpoint
-- archive-log deletes while others write: it asks for that in its transaction instead of disabling the trigger, which locks the table.
-- Only the owner can ask: the application has no right to delete, and the owner could disable the trigger before.
CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('nadi.archive_log', true) = 'on'
    AND pg_has_role(current_user, (SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID), 'MEMBER')
  THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'audit_log is append-only';
END $$;--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();--> statement-breakpoint
CREATE TRIGGER audit_seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION audit_seals_are_append_only();--> statement-breakpoint
CREATE TRIGGER audit_log_wants_seal AFTER INSERT ON audit_log REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_wants_seal();--> statement-breakpoint
-- Wallet

-- The ledger of points only grows.
CREATE FUNCTION wallet_entries_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- An empty table may be truncated together with the people it speaks of.
  IF TG_OP = 'TRUNCATE' AND NOT EXISTS (SELECT FROM wallet_entries) THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'wallet_entries is append-only';
END $$;--> statement-breakpoint
-- The balance is the sum of the ledger, kept row by row: whoever earns or spends at once takes turns at the wallet's row,
-- and its check refuses what would make it negative.
CREATE FUNCTION wallet_entries_add_up() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO wallets (patient_id) VALUES (NEW.patient_id) ON CONFLICT DO NOTHING;
  UPDATE wallets SET balance = balance + NEW.points WHERE patient_id = NEW.patient_id;
  RETURN NULL;
END $$;--> statement-breakpoint
-- The balance is written by the ledger's own trigger only.
ALTER FUNCTION wallet_entries_add_up() SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp;--> statement-breakpoint
CREATE TRIGGER wallet_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet_entries
  FOR EACH STATEMENT EXECUTE FUNCTION wallet_entries_are_append_only();--> statement-breakpoint
CREATE TRIGGER wallet_entries_add_up AFTER INSERT ON wallet_entries
  FOR EACH ROW EXECUTE FUNCTION wallet_entries_add_up();--> statement-breakpoint
-- Events and webhooks

-- Rows of live_events live for a moment: vacuum by their number, not by a share of the table.
ALTER TABLE live_events SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_threshold = -1,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);--> statement-breakpoint
-- Events are only added.
CREATE FUNCTION domain_events_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'domain_events is append-only';
END $$;--> statement-breakpoint
-- The places that an event concerns. An appointment, its queue entry and its payment belong to the place of the practice, other events of a
-- doctor to each place where the doctor works. Only places that the doctor has accepted, and that accepted the doctor, count.
CREATE FUNCTION webhook_places(e domain_events) RETURNS SETOF uuid LANGUAGE plpgsql STABLE AS $$
DECLARE
  practice uuid;
BEGIN
  IF e.subject_kind IN ('membership', 'place-doctor') THEN
    RETURN QUERY SELECT e.hospital_id WHERE e.hospital_id IS NOT NULL;
    RETURN;
  END IF;
  CASE e.subject_kind
    WHEN 'appointment' THEN SELECT practice_id INTO practice FROM appointments WHERE id = e.subject_id;
    WHEN 'proposal' THEN
      SELECT a.practice_id INTO practice FROM appointment_proposals p JOIN appointments a ON a.id = p.appointment_id WHERE p.id = e.subject_id;
    WHEN 'review' THEN
      SELECT a.practice_id INTO practice FROM reviews r JOIN appointments a ON a.id = r.appointment_id WHERE r.id = e.subject_id;
    WHEN 'payment' THEN
      SELECT a.practice_id INTO practice FROM payments p JOIN appointments a ON a.id = p.appointment_id WHERE p.id = e.subject_id;
    WHEN 'payment-order' THEN
      SELECT a.practice_id INTO practice FROM payment_orders o JOIN appointments a ON a.id = o.appointment_id WHERE o.id = e.subject_id;
    WHEN 'provider-refund' THEN
      SELECT a.practice_id INTO practice FROM refunds r JOIN payments p ON p.id = r.payment_id
        JOIN appointments a ON a.id = p.appointment_id WHERE r.id = e.subject_id;
    WHEN 'queue-session' THEN SELECT practice_id INTO practice FROM queue_sessions WHERE id = e.subject_id;
    WHEN 'queue-entry' THEN
      SELECT s.practice_id INTO practice FROM queue_entries q JOIN queue_sessions s ON s.id = q.session_id WHERE q.id = e.subject_id;
    WHEN 'visit-document' THEN
      SELECT n.practice_id INTO practice FROM visit_documents d JOIN encounters n ON n.id = d.encounter_id WHERE d.id = e.subject_id;
    WHEN 'waitlist' THEN SELECT practice_id INTO practice FROM waitlist_entries WHERE id = e.subject_id;
    WHEN 'practice' THEN practice := e.subject_id;
    ELSE practice := NULL;
  END CASE;
  RETURN QUERY SELECT pd.hospital_id FROM place_doctors pd
    WHERE pd.doctor_id = e.doctor_id AND pd.state = 'active' AND (practice IS NULL OR pd.hospital_id = (
      SELECT coalesce(p.hospital_id, d.hospital_id) FROM practices p JOIN doctors d ON d.id = p.doctor_id WHERE p.id = practice));
END $$;--> statement-breakpoint
-- Records a delivery for each endpoint, in the transaction of the change, and wakes the workers after its commit.
CREATE FUNCTION record_webhook_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM webhook_endpoints) THEN
    RETURN NULL;
  END IF;
  INSERT INTO webhook_deliveries (endpoint_id, event_id, next_at, created_at)
    SELECT w.id, NEW.id, NEW.at, NEW.at FROM webhook_endpoints w
    WHERE w.hospital_id IN (SELECT webhook_places(NEW)) AND w.state <> 'disabled' AND NEW.subject_kind = ANY (w.subjects)
    ON CONFLICT DO NOTHING;
  IF FOUND THEN
    INSERT INTO live_events (channel, payload) VALUES ('nadi_jobs', 'webhook-events');
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER domain_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON domain_events
  FOR EACH STATEMENT EXECUTE FUNCTION domain_events_are_append_only();--> statement-breakpoint
CREATE TRIGGER domain_events_webhooks AFTER INSERT ON domain_events FOR EACH ROW EXECUTE FUNCTION record_webhook_deliveries();--> statement-breakpoint
-- Money

CREATE FUNCTION ledger_transfer_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(amount) FROM ledger_entries WHERE transfer_id = NEW.transfer_id) <> 0 THEN
    RAISE check_violation USING MESSAGE = 'the entries of a transfer do not sum to zero', CONSTRAINT = 'ledger_transfer_balances', TABLE = 'ledger_entries';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION money_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;--> statement-breakpoint
CREATE FUNCTION payment_events_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_jsonb(OLD) - ARRAY['data_key', 'applied_at'] IS DISTINCT FROM to_jsonb(NEW) - ARRAY['data_key', 'applied_at']
    OR OLD.applied_at IS NOT NULL AND OLD.applied_at IS DISTINCT FROM NEW.applied_at THEN
    RAISE EXCEPTION 'payment_events is append-only';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
-- The platform fee of an order and its terms stay what they were, as its amount does, and its documents are only added.
CREATE FUNCTION payment_orders_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.appointment_id, OLD.doctor_id, OLD.merchant_id, OLD.amount, OLD.platform_fee, OLD.platform_fee_terms, OLD.provider,
      OLD.transfer_account, OLD.created_at)
      IS DISTINCT FROM
      (NEW.id, NEW.appointment_id, NEW.doctor_id, NEW.merchant_id, NEW.amount, NEW.platform_fee, NEW.platform_fee_terms, NEW.provider,
      NEW.transfer_account, NEW.created_at)
    OR OLD.provider_order_id IS NOT NULL AND OLD.provider_order_id IS DISTINCT FROM NEW.provider_order_id
    OR OLD.state = 'paid' AND NEW.state <> 'paid' THEN
    RAISE EXCEPTION 'an order of a payment provider stays what it was';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_transfer_balances AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_transfer_balances();--> statement-breakpoint
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION money_is_append_only();--> statement-breakpoint
CREATE TRIGGER receipts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON receipts
  FOR EACH STATEMENT EXECUTE FUNCTION money_is_append_only();--> statement-breakpoint
CREATE TRIGGER refunds_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON refunds
  FOR EACH STATEMENT EXECUTE FUNCTION money_is_append_only();--> statement-breakpoint
CREATE TRIGGER payment_events_stay BEFORE UPDATE ON payment_events FOR EACH ROW EXECUTE FUNCTION payment_events_stay();--> statement-breakpoint
CREATE TRIGGER payment_events_not_deleted BEFORE DELETE OR TRUNCATE ON payment_events
  FOR EACH STATEMENT EXECUTE FUNCTION money_is_append_only();--> statement-breakpoint
CREATE TRIGGER payment_orders_stay BEFORE UPDATE ON payment_orders FOR EACH ROW EXECUTE FUNCTION payment_orders_stay();--> statement-breakpoint
CREATE TRIGGER payment_orders_not_deleted BEFORE DELETE OR TRUNCATE ON payment_orders
  FOR EACH STATEMENT EXECUTE FUNCTION money_is_append_only();--> statement-breakpoint
-- What the provider reported stays as it was read.
CREATE TRIGGER settlement_lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement_lines
  FOR EACH STATEMENT EXECUTE FUNCTION money_is_append_only();--> statement-breakpoint
-- What the provider paid out from linked accounts stays as it was read.
CREATE TRIGGER account_settlements_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON account_settlements
  FOR EACH STATEMENT EXECUTE FUNCTION money_is_append_only();--> statement-breakpoint
CREATE TRIGGER account_settlement_lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON account_settlement_lines
  FOR EACH STATEMENT EXECUTE FUNCTION money_is_append_only();--> statement-breakpoint
CREATE TRIGGER platform_fee_documents_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON platform_fee_documents
  FOR EACH STATEMENT EXECUTE FUNCTION money_is_append_only();--> statement-breakpoint
-- Consultations: what is signed stays

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
CREATE FUNCTION visit_notes_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_jsonb(OLD) - 'data_key' IS DISTINCT FROM to_jsonb(NEW) - 'data_key' THEN
    RAISE EXCEPTION 'a signed note of a visit cannot be changed';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION visits_are_not_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are not deleted', TG_TABLE_NAME;
END $$;--> statement-breakpoint
-- A visit stays that of its doctor and its patient. An account may be found later.
CREATE FUNCTION encounters_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.doctor_id, OLD.appointment_id, OLD.queue_entry_id, OLD.date) IS DISTINCT FROM (NEW.id, NEW.doctor_id, NEW.appointment_id, NEW.queue_entry_id, NEW.date)
    OR OLD.patient_id IS NOT NULL AND OLD.patient_id IS DISTINCT FROM NEW.patient_id THEN
    RAISE EXCEPTION 'a visit stays that of its doctor and its patient';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER visit_documents_signed_stays BEFORE UPDATE ON visit_documents FOR EACH ROW EXECUTE FUNCTION visit_documents_signed_stays();--> statement-breakpoint
CREATE TRIGGER visit_notes_stay BEFORE UPDATE ON visit_notes FOR EACH ROW EXECUTE FUNCTION visit_notes_stay();--> statement-breakpoint
CREATE TRIGGER visit_documents_not_deleted BEFORE DELETE OR TRUNCATE ON visit_documents FOR EACH STATEMENT EXECUTE FUNCTION visits_are_not_deleted();--> statement-breakpoint
CREATE TRIGGER visit_notes_not_deleted BEFORE DELETE OR TRUNCATE ON visit_notes FOR EACH STATEMENT EXECUTE FUNCTION visits_are_not_deleted();--> statement-breakpoint
CREATE TRIGGER encounters_stay BEFORE UPDATE ON encounters FOR EACH ROW EXECUTE FUNCTION encounters_stay();
