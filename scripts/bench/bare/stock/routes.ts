import { index, type RouteConfig } from "@react-router/dev/routes";

export default [index("../app/page.tsx")] satisfies RouteConfig;
