import { expect, it } from "vitest";
import { whatsAppShare } from "./whatsapp-share.ts";

it.each(["డా. రవి & son: https://nadi.test/a?b=c#d", "डॉ. अंजलि, 100 %", "+91 90000 00100"])("WhatsApp gets %s", (text) => {
  const url = whatsAppShare(text);
  expect(new URL(url).searchParams.get("text")).toBe(text);
  expect(url).not.toMatch(/%E0/);
});
