/** What the server needs to know about a route before the route's code runs: a part of its `handle`, or of a call of the API. */
export type RouteRules = {
  /** Upload limit: megabytes of a post with files. Default: the limit of a form (server/gates.ts). */
  uploadMb?: number;
  /** Megabytes of a post in JSON. Default: the limit of a form. */
  jsonMb?: number;
  /** Deadline of a POST in seconds, then 503. Default: ten seconds, as for pages. */
  deadline?: number;
  /** The session is not read, so that the page works without the database. */
  session?: false;
  /** SOS: works without the database, and does not wait while other requests of the same address run. */
  urgent?: true;
  /** Cookies are ignored: no session, no toast, no known device. */
  cookies?: false;
  /** Another origin posts here, with a signature that the route verifies: the origin is not checked. */
  signed?: true;
  /** A POST is answered by the route's action alone, without React Router and the middleware of pages, and not in turn with others of its address. */
  direct?: true;
  /** Open pages request it at any time: a GET does not count as activity of the user. */
  polled?: true;
  /** The parameter of the path that is a secret, such as `token`. The log has "…" in its place. */
  secret?: string;
};
