/** What other websites and calendars can use without the API, for developers. In English only, like the reference. */
export const ADDRESSES = [
  {
    id: "frame",
    title: "Free times on a website",
    about:
      "A frame with today's free times of a hospital, without scripts and cookies. Its links open the booking in the top window. The owner of the hospital lists the websites that can show it. The second line is a link for browsers that block frames. {slug} is the short name of the hospital.",
    example: (origin: string) =>
      `<iframe src="${origin}/embed/{slug}" title="Free times" style="width:100%;height:32rem;border:0"></iframe>
<p><a href="${origin}/h/{slug}">Book an appointment</a></p>`,
  },
  {
    id: "short-pages",
    title: "Short addresses",
    about:
      "The public pages of a hospital and of a doctor under their short names. A former name redirects with 301 to the new one. Add ?lang=te or ?lang=hi for Telugu or Hindi.",
    example: (origin: string) => `${origin}/h/{slug}\n${origin}/d/{slug}`,
  },
  {
    id: "feeds",
    title: "Calendar feeds",
    about:
      "The appointments of a patient or a doctor as iCalendar. Its owner creates the private address in the settings; replacing it makes the old one answer 404. Cancelled appointments stay for 60 days with STATUS:CANCELLED and a higher SEQUENCE. Send the ETag of the last response in If-None-Match: the response is 304 until an appointment changes.",
    example: (origin: string) => `curl -H 'If-None-Match: {etag}' ${origin}/calendar/{key}.ics`,
  },
] as const;
