# Varnish in front of Nadi (docs/decisions/087). {{…}} is replaced by scripts/prove/cdn.ts.
vcl 4.1;
import std;

backend nadi {
  .host = "127.0.0.1";
  .port = "{{port}}";
}

sub vcl_recv {
  unset req.http.X-Set-Language;
  if (req.url == "/.purge") {
    if (req.method != "POST" || req.http.Authorization != "Bearer {{token}}") {
      return (synth(403));
    }
    if (req.http.Surrogate-Key !~ "^[a-z0-9-]+( [a-z0-9-]+)*$") {
      return (synth(400));
    }
    ban("obj.http.Surrogate-Key ~ (^|\s)(" + regsuball(req.http.Surrogate-Key, " ", "|") + ")(\s|$)");
    return (synth(204));
  }
  if ((req.method != "GET" && req.method != "HEAD") || req.http.Authorization) {
    return (pass);
  }
  # A visitor's language is in the address, in the cookie or in the browser's preferences.
  if (req.url ~ "[?&]lang=(en|hi|te)(&|$)" && req.http.Cookie !~ "(^|;\s*)lang=") {
    set req.http.X-Set-Language = regsub(req.url, "^.*[?&]lang=(en|hi|te)(&.*)?$", "\1");
  }
  if (req.http.Cookie ~ "(^|;\s*)lang=(en|hi|te)(;|$)") {
    set req.http.Accept-Language = regsub(req.http.Cookie, "^(.*;\s*)?lang=(en|hi|te)(;.*)?$", "\2");
  }
  if (req.http.Accept-Language ~ "(?i)^te(-|,|;|$)") {
    set req.http.Accept-Language = "te";
  } elseif (req.http.Accept-Language ~ "(?i)^hi(-|,|;|$)") {
    set req.http.Accept-Language = "hi";
  } else {
    set req.http.Accept-Language = "en";
  }
  # The cookies of language and stylesheets do not make a page personal. Every other cookie does.
  set req.http.X-Cookies = ";" + regsuball(req.http.Cookie, "\s", "");
  set req.http.X-Cookies = regsuball(req.http.X-Cookies, ";(lang|css)=[^;]*", "");
  set req.http.X-Cookies = regsuball(req.http.X-Cookies, ";", "");
  if (req.http.X-Cookies != "") {
    return (pass);
  }
  unset req.http.X-Cookies;
  unset req.http.Cookie;
  return (hash);
}

sub vcl_backend_response {
  if (beresp.http.Cache-Control !~ "s-maxage=" || beresp.http.Set-Cookie) {
    # Not cached, and requests for it do not wait for each other.
    set beresp.ttl = 120s;
    set beresp.grace = 0s;
    set beresp.uncacheable = true;
    return (deliver);
  }
  set beresp.grace = std.duration(regsub(beresp.http.Cache-Control, "^.*stale-while-revalidate=([0-9]+).*$", "\1s"), 0s);
  set beresp.keep = 0s;
  return (deliver);
}

sub vcl_deliver {
  if (obj.hits > 0) {
    set resp.http.X-Cache = "hit";
  } else {
    set resp.http.X-Cache = "miss";
  }
  if (resp.http.Surrogate-Key) {
    # The browser asks again each time, and the copy is its own.
    set resp.http.Cache-Control = "private, no-cache";
    unset resp.http.Surrogate-Key;
    unset resp.http.Cache-Tag;
    if (req.http.X-Set-Language) {
      set resp.http.Set-Cookie = "lang=" + req.http.X-Set-Language + "; Path=/; Max-Age=31536000; SameSite=Lax";
    }
  }
}
