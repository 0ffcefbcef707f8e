import { data } from "react-router";
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

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />;
}
