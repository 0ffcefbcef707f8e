import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [index("../app/page.tsx"), route("doctors", "doctors.tsx")] satisfies RouteConfig;
