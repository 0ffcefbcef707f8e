import { index, layout, prefix, type RouteConfig, route } from "@react-router/dev/routes";

/** THE map of every URL. */
export default [
  // general
  index("routes/public/splash.tsx"),
  route("choose-role", "routes/public/choose-role.tsx"),
  route("dual-patient", "routes/auth/dual-patient.tsx"),
  route("dual-doctor", "routes/auth/dual-doctor.tsx"),
  route("doctor-verify", "routes/auth/doctor-verify.tsx"),
  route("doctor/registration-status", "routes/auth/registration-status.ts"),
  route("hospital-form", "routes/onboarding/hospital-form.tsx"),
  route("doctor-verification", "routes/onboarding/doctor-verification.tsx"),
  route("banking-information", "routes/onboarding/banking-information.tsx"),
  route("logout", "routes/auth/logout.tsx"),

  // patients, and whoever looks for a doctor
  layout("routes/patient/frame.tsx", [
    route("patient-dashboard", "routes/patient/dashboard.tsx"),
    route("doctorspages/Cards-data", "routes/patient/doctor-list.tsx"),
    route("details/doctor/:id", "routes/patient/doctor-detail.tsx"),
    route("location", "routes/patient/location.tsx"),
    route("location/cities", "routes/patient/location-cities.ts"),
    route("favourites", "routes/patient/favourites.ts"),
    route("hospital/:id", "routes/patient/hospital.tsx"),
    route("patient/notifications", "routes/shared/notifications.tsx", { id: "patient-notifications" }),
    route("patient/profile", "routes/patient/profile.tsx"),
    route("patient/profile/edit", "routes/patient/profile-edit.tsx"),
    route("patient/settings", "routes/patient/settings.tsx"),
    route("patient/help", "routes/patient/help.tsx"),
    route("patient/terms", "routes/patient/terms.tsx"),
    route("patient/contact-us", "routes/patient/contact-us.tsx"),
    route("patient/family", "routes/patient/family.tsx"),
    route("patient/family/add", "routes/patient/family-add.tsx"),
    route("patient/family/:id", "routes/patient/family-edit.tsx"),
    route("patient/family/:id/remove", "routes/patient/family-remove.tsx"),
    route("patient/calendar", "routes/patient/calendar.tsx"),
    route("patient/appointments/:id/cancel", "routes/patient/appointment-cancel.tsx"),
    route("patient/appointments/:id/reschedule", "routes/patient/appointment-reschedule.tsx"),
    route("patient/appointments/:id/review", "routes/patient/review.tsx"),
    route("patient/appointments/:id/review/take-back", "routes/patient/review-take-back.tsx"),
    route("patient/reviews/:id/report", "routes/shared/review-report.tsx", { id: "patient-review-report" }),
    route("patient/wallet", "routes/patient/wallet.tsx"),
    ...prefix("patient/appointments", [
      index("routes/patient/booking-start.tsx"),
      route("datetime", "routes/patient/booking-datetime.tsx"),
      route("patient-detail", "routes/patient/booking-patient-detail.tsx"),
      route("payment/:id", "routes/patient/booking-payment.tsx"),
    ]),
  ]),
  route("patient/emergency-contact", "routes/sos/emergency-contact.tsx"),

  // doctors
  layout("routes/doctor/frame.tsx", [
    route("doctor-dashboard", "routes/doctor/dashboard.tsx"),
    route("doctor/appointments", "routes/doctor/appointments.tsx"),
    route("doctor/appointments.ics", "routes/doctor/appointments-ics.ts"),
    route("doctor/appointments/day/:date", "routes/doctor/day-sheet.tsx"),
    route("doctor/appointments/:id/:action", "routes/doctor/appointment-confirm.tsx"),
    route("doctor/stats", "routes/doctor/stats.tsx"),
    route("doctor/stats.csv", "routes/doctor/stats-csv.ts"),
    route("doctor/notifications", "routes/shared/notifications.tsx", { id: "doctor-notifications" }),
    ...prefix("doctor/availability", [
      index("routes/doctor/availability/list.tsx"),
      route("add", "routes/doctor/availability/add.tsx"),
      route("weekly", "routes/doctor/availability/weekly.tsx"),
      route("change/:date", "routes/doctor/availability/change.tsx"),
      route("delete/:date", "routes/doctor/availability/delete.tsx"),
    ]),
    route("doctor/profile", "routes/doctor/profile.tsx"),
    route("doctor/profile-view", "routes/doctor/profile-view.tsx"),
    route("doctor/profile/edit", "routes/doctor/profile-edit.tsx"),
    route("doctor/profile/withdraw", "routes/doctor/withdraw-change.ts"),
    route("doctor/reviews", "routes/doctor/reviews.tsx"),
    route("doctor/reviews/:id/report", "routes/shared/review-report.tsx", { id: "doctor-review-report" }),
    route("doctor/settings", "routes/doctor/settings.tsx", [route("password", "routes/doctor/change-password.tsx")]),
    route("doctor/help", "routes/doctor/help.tsx"),
    route("doctor/terms", "routes/doctor/terms.tsx"),
    route("doctor/patient/:id", "routes/doctor/patient.tsx"),
  ]),

  route("doctor", "routes/doctor/home.ts"),
  route("doctor/login", "routes/doctor/entry.ts"),

  // hospital reviewers
  layout("routes/reviewer/frame.tsx", [
    route("reviewer", "routes/reviewer/cases.tsx"),
    route("reviewer/cases/:id", "routes/reviewer/case.tsx"),
    route("reviewer/cases/:id/reveal/:number", "routes/shared/reveal.tsx", { id: "reviewer-reveal" }),
  ]),
  route("invitation/:token", "routes/public/invitation.tsx"),

  // administrators
  layout("routes/admin/frame.tsx", [
    ...prefix("admin", [
      index("routes/admin/overview.tsx"),
      route("doctors", "routes/admin/doctors.tsx"),
      route("doctors/:id", "routes/admin/doctor.tsx"),
      route("doctors/:id/reveal/:number", "routes/shared/reveal.tsx", { id: "admin-reveal" }),
      route("doctors/:id/suspend", "routes/admin/doctor-suspend.tsx"),
      route("doctors/:id/reinstate", "routes/admin/doctor-reinstate.tsx"),
      route("hospitals", "routes/admin/hospitals.tsx"),
      route("hospitals/new", "routes/admin/hospital-new.tsx"),
      route("hospitals/:id", "routes/admin/hospital.tsx"),
      route("hospitals/:id/edit", "routes/admin/hospital-edit.tsx"),
      route("hospitals/:id/merge", "routes/admin/hospital-merge.tsx"),
      route("hospitals/:id/refuse", "routes/admin/hospital-refuse.tsx"),
      route("hospitals/:id/reviewers/:userId/remove", "routes/admin/reviewer-remove.tsx"),
      route("users", "routes/admin/users.tsx"),
      route("users/:id", "routes/admin/user.tsx"),
      route("changes", "routes/admin/changes.tsx"),
      route("changes/:id", "routes/admin/change.tsx"),
      route("changes/:id/reveal", "routes/admin/change-reveal.tsx"),
      route("reviews", "routes/admin/reviews.tsx"),
      route("reviews/:id", "routes/admin/review.tsx"),
      route("audit", "routes/admin/audit.tsx"),
    ]),
  ]),

  // files, watching, demo mode
  route("files/:id", "routes/files/download.ts"),
  route("photos/:fileId", "routes/files/photo.ts"),
  route("documents/:id", "routes/files/document.tsx"),
  route("dev/outbox", "routes/dev/outbox.tsx"),
  route("dev/outbox.json", "routes/dev/outbox-json.ts"),

  route("*", "routes/public/not-found.tsx"),
] satisfies RouteConfig;
