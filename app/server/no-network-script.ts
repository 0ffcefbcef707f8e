/**
 * The inline script of every page, also of those without other scripts: a press of SOS shows 108 and 112 within a second when the server
 * does not answer. Inline, because a network that fails does not deliver a file. It also registers the service worker, whose stored
 * emergency page opens instead once the browser has it (docs/decisions/021-assistant-sos-and-offline.md).
 */

import { compactScript } from "#app/lib/compact.ts";
import { cspHash } from "#app/lib/csp-hash.ts";
import source from "./no-network.js?raw";

export const NO_NETWORK = compactScript(source);

/** CSP source, for pages without a nonce. */
export const NO_NETWORK_HASH = cspHash(NO_NETWORK);
