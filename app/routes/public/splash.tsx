import { useEffect } from "react";
import { href, useNavigate } from "react-router";
import { load } from "#app/http/load.server.ts";
import { publicPage } from "#app/http/public-page.ts";
import { seconds } from "#app/lib/durations.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Illustration } from "#app/ui/illustration.tsx";
import { Languages } from "#app/ui/languages.tsx";
import { Logo } from "#app/ui/logo.tsx";
import type { Route } from "./+types/splash.ts";

export const handle: PageHandle = { session: false, cache: 300, lite: true };

/** Five images of one second, the last for another second before the redirect (spec 000 §9). */
const STAY_SECONDS = 5;
const NEXT = href("/choose-role");

export const loader = load(() => ({ origin: env().appUrl.origin }));

/** Redirects without JavaScript. A `<meta>` would stay in the page after a client navigation. */
export const headers = () => ({ Refresh: `${STAY_SECONDS};url=${NEXT}` });

export default function SplashPage() {
  // The page itself has no scripts. This is for client navigations from other pages. `replace`: Back skips the splash.
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => navigate(NEXT, { replace: true }), seconds(STAY_SECONDS));
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <div className="split splash-page">
      <header className="brandside">
        <Logo />
        <p className="tagline">
          <b className="hidden text-on-deep text-3xl leading-[1.3] min-[48rem]:block">{m.common_app_name()}</b>
          {m.common_tagline()}
        </p>
        <div className="mt flex justify-center min-[60rem]:justify-start">
          <Languages from={NEXT} />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <h1 className="sr-only">{m.common_title({ page: m.common_splash_title() })}</h1>
        <ol className="splash">
          <li>
            <Illustration name="care" />
            <p>{m.common_splash_1()}</p>
          </li>
          <li>
            <Illustration name="find" />
            <p>{m.common_splash_2()}</p>
          </li>
          <li>
            <Illustration name="time" />
            <p>{m.common_splash_3()}</p>
          </li>
          <li>
            <Illustration name="records" />
            <p>{m.common_splash_4()}</p>
          </li>
          <li>
            <Illustration name="help" />
            <p>{m.common_splash_5()}</p>
          </li>
        </ol>
        <LinkButton to={NEXT} variant="second" pill className="fab" iconEnd="arrow-right">
          {m.common_splash_skip()}
        </LinkButton>
      </main>
    </div>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  publicPage({ title: m.common_splash_title(), description: m.common_tagline(), url: `${loaderData?.origin ?? ""}/` });
