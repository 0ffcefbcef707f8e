import type { PushGroup } from "../notifications/push-groups.ts";

/** Which notifications a browser shows (docs/decisions/086). */
const PUSH: Record<PushGroup, boolean> = {
  appointments: true,
  reminders: true,
  waitlist: true,
  documents: true,
  payments: true,
  reviews: true,
  account: true,
};

/** All settings of doctors and patients (spec 000 §3) with their defaults (§9). */
export const DEFAULT_SETTINGS = {
  notifications: { email: true, sms: false, appointmentReminders: true, healthTips: true, offers: false },
  push: PUSH,
  privacy: { profileVisibility: "public" as "public" | "private", shareData: false, analytics: true },
  security: { twoFactorAuth: false, biometricLogin: false, autoLock: true },
};
export type Settings = typeof DEFAULT_SETTINGS;

/** Merges the stored choices with the defaults. Ignores values of another type, such as those of an older version. */
export function mergeSettings(chosen: Record<string, Record<string, unknown>> | null | undefined): Settings {
  const group = <Group extends keyof Settings>(name: Group): Settings[Group] => {
    const given = chosen?.[name] ?? {};
    const merged = Object.entries(DEFAULT_SETTINGS[name]).map(([key, standard]) => {
      const value = Object.hasOwn(given, key) ? given[key] : undefined;
      return [key, typeof value === typeof standard ? value : standard];
    });
    return Object.fromEntries(merged) as Settings[Group];
  };
  return { notifications: group("notifications"), push: group("push"), privacy: group("privacy"), security: group("security") };
}
