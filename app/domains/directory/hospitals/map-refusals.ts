/** Refusals of Google's map, which would stay as a grey box over the page. */

/** Google refused the key, for all maps of the document: it is wrong, has no billing, or belongs to another site. */
let isKeyRefused = false;
const watchers = new Set<() => void>();

export const isMapRefused = (): boolean => isKeyRefused;

/**
 * Calls `onRefused` when Google refuses the key, or when the policy of the document refuses parts of the map: a page opened by
 * script has the policy of the first. Returns the way to stop.
 */
export function watchMapRefusals(onRefused: () => void): () => void {
  // The only name under which Google reports it.
  (window as { gm_authFailure?: () => void }).gm_authFailure = () => {
    isKeyRefused = true;
    for (const notify of watchers) notify();
  };
  const onViolation = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent) => {
    const isOfMap =
      URL.canParse(blockedURI) && /(^|\.)(google|googleapis|gstatic|googleusercontent)\.com$/.test(new URL(blockedURI).hostname);
    // Without its fonts and styles the map is still one.
    if (isOfMap && /^(script|img|connect|worker)-src/.test(effectiveDirective)) onRefused();
  };
  watchers.add(onRefused);
  document.addEventListener("securitypolicyviolation", onViolation);
  return () => {
    watchers.delete(onRefused);
    document.removeEventListener("securitypolicyviolation", onViolation);
  };
}
