import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [index("page.tsx", { id: "visitor:page" }), route("rows", "rows.tsx", { id: "visitor:rows" })] satisfies RouteConfig;
