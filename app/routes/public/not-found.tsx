import { data } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { ErrorPage } from "#app/ui/error-page.tsx";
import type { Route } from "./+types/not-found";

export function loader() {
  throw data(null, { status: 404 });
}

export function action() {
  throw data(null, { status: 404 });
}

export default function NotFoundPage() {
  return null;
}

export const meta = () => [{ title: m.common_title({ page: m.common_not_found_title() }) }];

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />;
}
