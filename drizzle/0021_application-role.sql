-- The application's role owns nothing. What it needs of the owner's rights are these two functions, and no more.
CREATE FUNCTION refresh_search_words() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  REFRESH MATERIALIZED VIEW CONCURRENTLY public.search_words;
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION refresh_search_words() FROM PUBLIC;
--> statement-breakpoint
-- The balance is written by the ledger's own trigger only.
ALTER FUNCTION wallet_entries_add_up() SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp;
