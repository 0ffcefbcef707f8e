export * from "./accounts.ts";
export * from "./appointments.ts";
export * from "./events.ts";
export * from "./favourites.ts";
export * from "./people.ts";
export * from "./profile.ts";
export * from "./records.ts";
export * from "./verification.ts";
