const PAUSE = 1500;
/** Between two tries without a network. */
const AGAIN = 5000;

/** What the page shows about its saving: when, why it failed, or that another tab saved meanwhile. */
export type SaveState = { savedAt: string | null; failed: "network" | "login" | null; conflict: string | null };

type Autosave = {
  form: EventTarget;
  /** The window: its events are `online` and `pagehide`. */
  page: EventTarget;
  /** Counts a post of this page, so that a late one never replaces a newer one. */
  count: () => void;
  post: () => Promise<Pick<Response, "ok" | "status" | "headers" | "json">>;
  show: (state: SaveState | ((known: SaveState) => SaveState)) => void;
};

/**
 * Saves a form after a pause and when the page is left. Without a network it tries again until it is back. Stops after a conflict: the form's own
 * buttons then show it. After the form was submitted nothing is saved until the next input, also when a saving in flight fails: what is submitted has
 * the text, and a later saving would be a newer version than the one that is reviewed and signed. Returns the function that ends it.
 */
export function startAutosave({ form, page, count, post, show }: Autosave): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let changed = false;
  let submitted = false;
  let stopped = false;
  const again = (failed: "network" | "login") => {
    if (submitted) return;
    changed = true;
    clearTimeout(timer);
    timer = setTimeout(save, AGAIN);
    show((known) => ({ ...known, failed }));
  };
  const save = async () => {
    if (!changed || stopped) return;
    changed = false;
    clearTimeout(timer);
    count();
    try {
      const answer = await post();
      // The page of a login: the session has ended. The form's own buttons carry the text through the login.
      if (!answer.headers.get("content-type")?.includes("json")) return again(answer.status < 500 ? "login" : "network");
      const said = (await answer.json()) as { savedAt?: string; message?: string };
      if (answer.ok) show({ savedAt: said.savedAt ?? null, failed: null, conflict: null });
      else if (answer.status === 409) {
        stopped = true;
        show({ savedAt: null, failed: null, conflict: said.message ?? null });
      } else again("network");
    } catch {
      again("network");
    }
  };
  const note = () => {
    changed = true;
    submitted = false;
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE);
  };
  const submit = () => {
    clearTimeout(timer);
    changed = false;
    submitted = true;
    count();
  };
  form.addEventListener("input", note);
  form.addEventListener("submit", submit, true);
  page.addEventListener("online", save);
  page.addEventListener("pagehide", save);
  return () => {
    void save();
    clearTimeout(timer);
    stopped = true;
    form.removeEventListener("input", note);
    form.removeEventListener("submit", submit, true);
    page.removeEventListener("online", save);
    page.removeEventListener("pagehide", save);
  };
}
