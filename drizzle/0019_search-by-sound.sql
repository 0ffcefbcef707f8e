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
END $$;
--> statement-breakpoint
CREATE INDEX search_words_sound ON search_words (search_sound(word) text_pattern_ops);
--> statement-breakpoint
CREATE INDEX cities_sound ON cities (search_sound(search_name) text_pattern_ops);
