/**
 * Which folders may import which (`npm run lint`). Biome checks imports within routes, components and the design system;
 * this checks that folders form no cycle and that modules of app/domains import only in their order (app/domains/README.md).
 */
const domain = (names) => `^app/domains/(${names.join("|")})/`;
const TOP = ["money", "visit", "practice", "clinic", "guidance", "messages", "privacy", "oversight"];

/** A module, and the modules that it must not import. */
const order = {
  platform: ["directory", "patients", "places", "waiting-room", "booking", "credentials", ...TOP],
  directory: ["patients", "places", "waiting-room", "booking", "credentials", ...TOP],
  patients: ["directory", "places", "waiting-room", "booking", "credentials", ...TOP],
  places: ["patients", "waiting-room", "booking", "credentials", ...TOP],
  "waiting-room": ["patients", "booking", "credentials", ...TOP],
  booking: ["credentials", ...TOP],
  credentials: ["patients", "waiting-room", "booking", ...TOP],
  money: ["waiting-room", "credentials", ...TOP.slice(1)],
  visit: ["credentials", "money", ...TOP.slice(2)],
};

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-folder-cycle",
      comment: "Two folders import each other. Move what both need into a folder that imports neither, or pass a function in.",
      severity: "error",
      scope: "folder",
      from: {},
      to: { circular: true },
    },
    ...Object.entries(order).map(([module, above]) => ({
      name: `${module}-is-below`,
      comment: `app/domains/${module} is below ${above.join(", ")}. Move the code up, or pass in what it needs (app/domains/README.md).`,
      severity: "error",
      from: { path: domain([module]), pathNot: "\\.test\\.tsx?$" },
      to: { path: domain(above) },
    })),
    {
      name: "domains-know-no-http",
      comment: "Domains know no pages and no requests. Return data, and let the route or app/http use it.",
      severity: "error",
      from: { path: "^app/(domains|db|integrations|queue|realtime)/", pathNot: "\\.test\\.tsx?$" },
      to: { path: "^app/(routes|http|server|jobs)/" },
    },
  ],
  options: {
    doNotFollow: { path: ["node_modules", "^app/paraglide"] },
    includeOnly: "^app",
    exclude: { path: ["^app/paraglide", "\\.test\\.tsx?$", "^app/messages"] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".mjs", ".js"], conditionNames: ["import", "default"] },
  },
};
