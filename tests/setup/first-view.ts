/** Measures what a browser with an empty cache loads to show a page. */
import { raw } from "./http.ts";

export type Encoding = "br" | "gzip";
export type FirstView = {
  status: number;
  /** Compressed bytes of the HTML with its inline CSS. */
  html: number;
  /** Bytes of linked stylesheets, which block the first paint. */
  css: number;
  /** Bytes of scripts. They do not block the first paint. */
  js: number;
  /** Bytes of images. */
  pictures: number;
  requests: number;
  /** URLs that block the first paint. */
  blocking: string[];
};

/** @param cookie for a logged-in user */
export async function measureFirstView(url: string, path: string, encoding: Encoding, cookie?: string): Promise<FirstView> {
  const ask = (at: string) =>
    raw(url, { path: at, headers: { host: new URL(url).host, "accept-encoding": encoding, ...(cookie ? { cookie } : {}) } });
  const page = await ask(path);
  // Loads the page again uncompressed to find its references.
  const plain = (await raw(url, { path, headers: { host: new URL(url).host, ...(cookie ? { cookie } : {}) } })).text;
  const tags = [...plain.matchAll(/<(link|script|img)\b[^>]*>/g)].map(([tag, name]) => ({ tag, name }));
  const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll("&amp;", "&");
  const links = (rel: string) =>
    tags.filter(({ tag, name }) => name === "link" && attribute(tag, "rel") === rel).map(({ tag }) => attribute(tag, "href"));
  const own = (list: (string | undefined)[]) => [...new Set(list.filter((at): at is string => at?.startsWith("/") ?? false))];

  const css = own(links("stylesheet"));
  const scripts = own([
    ...links("modulepreload"),
    ...tags.filter(({ name }) => name === "script").map(({ tag }) => attribute(tag, "src")),
    ...[...plain.matchAll(/["'](\/assets\/[^"']+\.js)["']/g)].map(([, at]) => at),
  ]);
  const pictures = own(tags.filter(({ name }) => name === "img").map(({ tag }) => attribute(tag, "src")));
  const classic = tags
    .filter(({ tag, name }) => name === "script" && attribute(tag, "src") && !/\b(async|defer|type="module")/.test(tag))
    .map(({ tag }) => attribute(tag, "src") as string);
  const sum = async (list: string[]) => (await Promise.all(list.map(ask))).reduce((total, answer) => total + answer.body.length, 0);
  return {
    status: page.status,
    html: page.body.length,
    css: await sum(css),
    js: await sum(scripts),
    pictures: await sum(pictures),
    requests: 1 + css.length + scripts.length + pictures.length,
    blocking: [...links("stylesheet").filter((at) => at !== undefined), ...classic] as string[],
  };
}

/** Pages a patient or a visitor may open first. `personal`: needs a login. */
export const PATIENT_PAGES = (at: {
  doctorId: string;
  hospitalId: string;
  date: string;
  time: string;
  appointmentId: string;
  hospitalName: string;
}) => {
  const slot = new URLSearchParams({ doctorId: at.doctorId, date: at.date, time: at.time });
  return [
    { name: "splash", path: "/", personal: false },
    { name: "choose role", path: "/choose-role", personal: false },
    { name: "emergency", path: "/patient/emergency-contact", personal: false },
    { name: "login, patient", path: "/dual-patient", personal: false },
    { name: "login, doctor", path: "/dual-doctor", personal: false },
    { name: "find a doctor, visitor", path: "/find-a-doctor", personal: false },
    { name: "doctor list, visitor", path: "/doctorspages/Cards-data", personal: false },
    { name: "doctor detail, visitor", path: `/details/doctor/${at.doctorId}`, personal: false },
    { name: "doctor search, visitor", path: "/doctorspages/Cards-data?q=dr&specialty=Cardiologist&sort=distance", personal: false },
    { name: "hospital list, visitor", path: "/hospitalpages/Cards-data", personal: false },
    { name: "hospital, visitor", path: `/hospital/${at.hospitalId}`, personal: false },
    { name: "hospital's short page, visitor", path: `/h/${at.hospitalName}`, personal: false },
    { name: "hospital's doctors, visitor", path: `/hospital/${at.hospitalId}/doctors`, personal: false },
    { name: "help, visitor", path: "/patient/help", personal: false },
    { name: "terms, visitor", path: "/patient/terms", personal: false },
    { name: "accessibility, visitor", path: "/accessibility", personal: false },
    { name: "contact us, visitor", path: "/patient/contact-us", personal: false },
    { name: "dashboard", path: "/patient-dashboard", personal: true },
    { name: "doctor list", path: "/doctorspages/Cards-data", personal: true },
    { name: "doctor detail", path: `/details/doctor/${at.doctorId}`, personal: true },
    { name: "hospital list", path: "/hospitalpages/Cards-data", personal: true },
    { name: "hospital", path: `/hospital/${at.hospitalId}`, personal: true },
    { name: "hospital's doctors", path: `/hospital/${at.hospitalId}/doctors`, personal: true },
    { name: "date and time", path: `/patient/appointments/datetime?doctorId=${at.doctorId}`, personal: true },
    { name: "patient's details", path: `/patient/appointments/patient-detail?${slot}`, personal: true },
    { name: "payment", path: `/patient/appointments/payment/${at.appointmentId}`, personal: true },
    { name: "appointment", path: `/patient/appointments/${at.appointmentId}`, personal: true },
    { name: "calendar", path: "/patient/calendar", personal: true },
    { name: "calendar, past", path: "/patient/calendar?tab=past", personal: true },
    { name: "reschedule", path: `/patient/appointments/${at.appointmentId}/reschedule`, personal: true },
    { name: "cancel", path: `/patient/appointments/${at.appointmentId}/cancel`, personal: true },
    { name: "profile", path: "/patient/profile", personal: true },
    { name: "wallet", path: "/patient/wallet", personal: true },
    { name: "wallet, offers", path: "/patient/wallet?view=list&tab=redeem", personal: true },
    { name: "wallet, mission", path: "/patient/wallet?view=mission_detail&mission=papers", personal: true },
    { name: "review", path: `/patient/appointments/${at.appointmentId}/review`, personal: true },
    { name: "records", path: "/patient/records", personal: true },
    { name: "add a record", path: "/patient/records/add", personal: true },
    { name: "access to records", path: "/patient/records/access", personal: true },
    { name: "profile, edit", path: "/patient/profile/edit", personal: true },
    { name: "settings", path: "/patient/settings", personal: true },
    { name: "help", path: "/patient/help", personal: true },
    { name: "terms", path: "/patient/terms", personal: true },
    { name: "own data", path: "/patient/data", personal: true },
    { name: "data notice", path: "/patient/data/notice", personal: true },
    { name: "who opened", path: "/patient/data/opened", personal: true },
    { name: "delete account", path: "/patient/data/delete", personal: true },
    { name: "family", path: "/patient/family", personal: true },
    { name: "family, add", path: "/patient/family/add", personal: true },
    { name: "contact us", path: "/patient/contact-us", personal: true },
  ];
};
