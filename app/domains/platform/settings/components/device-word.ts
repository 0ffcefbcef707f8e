import type { Device } from "#app/domains/platform/users/device.ts";
import { m } from "#app/paraglide/messages.js";

/** Returns "Chrome on Android". */
export const deviceWord = ({ browser, system }: Device): string =>
  browser && system ? m.settings_device({ browser, system }) : (browser ?? system ?? m.settings_device_unknown());
