import { env } from "#app/runtime/env.server.ts";

/** Search engines may read public pages. Personal pages redirect to the login anyway. */
export const loader = () =>
  new Response(
    `User-agent: *
Disallow: /api/
Disallow: /files/
Disallow: /dev/

Sitemap: ${env().appUrl.origin}/sitemap.xml
`,
    { headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" } },
  );
