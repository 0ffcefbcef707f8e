import { href } from "react-router";
import { language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";

const icon = (src: string, sizes: string, purpose = "any") => ({
  src,
  sizes,
  type: src.endsWith("svg") ? "image/svg+xml" : "image/png",
  purpose,
});

const screen = (name: string, sizes: string, form_factor: "narrow" | "wide", label: string) => ({
  src: `/screens/${name}.webp`,
  sizes,
  type: "image/webp",
  form_factor,
  label,
});

/** Web Application Manifest (W3C), to install Nadi as an app. Browsers request it without cookies. */
export const loader = () =>
  Response.json(
    {
      id: "/",
      name: "Nadi",
      short_name: "Nadi",
      description: m.common_tagline(),
      lang: language(),
      start_url: href("/start"),
      scope: "/",
      display: "standalone",
      background_color: "#fbf8f1",
      theme_color: "#fbf8f1",
      categories: ["medical", "health"],
      icons: [
        icon("/favicon.svg", "any"),
        icon("/icon-192.png", "192x192"),
        icon("/icon-512.png", "512x512"),
        icon("/icon-maskable-512.png", "512x512", "maskable"),
      ],
      screenshots: [
        screen("dashboard-390", "780x1688", "narrow", m.common_tagline()),
        screen("doctors-390", "780x1688", "narrow", m.directory_doctors()),
        screen("date-and-time-390", "780x1688", "narrow", m.appointments_step_time()),
        screen("dashboard-1280", "1280x800", "wide", m.common_tagline()),
      ],
      shortcuts: [
        { name: m.ui_sos_more(), url: href("/patient/emergency-contact") },
        { name: m.patients_place_appointments(), url: href("/patient/calendar") },
      ],
    },
    { headers: { "Content-Type": "application/manifest+json", "Cache-Control": "public, max-age=3600", Vary: "Cookie, Accept-Language" } },
  );
