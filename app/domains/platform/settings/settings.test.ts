import { expect, it } from "vitest";
import { DEFAULT_SETTINGS, mergeSettings } from "./settings.ts";

it("has the defaults of spec 000 §9", () => {
  const { push, ...specified } = mergeSettings(null);
  expect(specified).toEqual({
    notifications: { email: true, sms: false, appointmentReminders: true, healthTips: true, offers: false },
    privacy: { profileVisibility: "public", shareData: false, analytics: true },
    security: { twoFactorAuth: false, biometricLogin: false, autoLock: true },
  });
  // Not in the specification: a browser shows all kinds once its user has asked for notifications there.
  expect(new Set(Object.values(push))).toEqual(new Set([true]));
});

it("merges the choices over the defaults, and ignores invalid values", () => {
  const merged = mergeSettings({
    notifications: { email: false, sms: "yes", unknown: 1 },
    elsewhere: { a: 1 },
    privacy: { shareData: true },
  });
  expect(merged.notifications).toEqual({ ...DEFAULT_SETTINGS.notifications, email: false });
  expect(merged.privacy.shareData).toBe(true);
  expect(merged).not.toHaveProperty("elsewhere");
});
