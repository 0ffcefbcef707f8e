/** The line drawings. They share a ground line. Colours depend on the place (`.ill` in look.css). */

import { MARK } from "#app/lib/mark.ts";
import { classes } from "./class-names.ts";

const drawings = {
  /** A hand holding the Nadi leaf. */
  care: `<circle class="s" fill="#DDEDEF" stroke="none" cx="122" cy="70" r="62"/><path class="k" fill="#0B5566" stroke="none" transform="translate(90 14) scale(2.1)" d="${MARK}"/><path class="p" fill="#fff" d="M58 98h18c8 0 13 2 19 6l11 7h26c10 0 10 15 0 15h-28h31l37-19c10-5 18 7 9 14l-36 25c-6 4-12 6-19 6l-44-1-24-7H58Z"/><path class="y" fill="#F2A900" d="M40 92h14c3 0 5 2 5 5v46c0 3-2 5-5 5H40Z"/><path d="M132 126h-26"/><path class="b" stroke="#0B5566" stroke-width="3" d="M-600 158H192l5-13 9 24 6-11H900"/>`,
  /** A doctor on the map near your home. */
  find: '<path class="s" fill="#DDEDEF" stroke="none" d="M20 158c0-34 22-58 54-62 20-46 94-46 110 2 24 4 38 28 38 60Z"/><path class="p" fill="#fff" d="M120 146c-24-26-44-48-44-76a44 44 0 0 1 88 0c0 28-20 50-44 76Z"/><circle class="y" fill="#F2A900" cx="120" cy="60" r="13"/><path d="M96 95c2-13 11-19 24-19s22 6 24 19M112 78l8 9 8-9M107 60c2-9 8-13 13-13s12 4 13 13c-8 0-14-3-17-7-2 4-5 6-9 7Z"/><path class="p" fill="#fff" d="M24 158v-28l18-15 18 15v28M36 158v-14h12v14"/><path d="M200 158v-44M200 114c-9-9-19-6-23 2M200 114c9-9 19-6 23 2M200 114c-3-12-12-15-19-12M200 114c3-12 12-15 19-12"/><path class="b" stroke="#0B5566" stroke-width="3" d="M-600 158H68l5-13 9 24 6-11H900"/>',
  /** A wall calendar with one day chosen. */
  time: '<circle class="s" fill="#DDEDEF" stroke="none" cx="120" cy="82" r="66"/><path d="M120 20v10M96 40l24-12 24 12"/><path class="p" fill="#fff" d="M74 40h92v82l-14 14H74Z"/><path d="M166 122h-14v14"/><path class="k" fill="#0B5566" d="M74 40h92v22H74Z"/><path stroke-width="4" d="M90 80h.1M110 80h.1M130 80h.1M150 80h.1M90 98h.1M110 98h.1M150 98h.1M90 116h.1M110 116h.1M130 116h.1"/><path class="y" fill="#F2A900" d="M119 98c0-7 4-11 11-11h11v11c0 7-4 11-11 11h-11Z"/><path d="m125 98 4 4 7-8"/><circle class="p" fill="#fff" cx="182" cy="122" r="22"/><path d="M182 109v13l9 6"/><path class="b" stroke="#0B5566" stroke-width="3" d="M-600 158H42l5-13 9 24 6-11H900"/>',
  /** Medical records in a folder. */
  records:
    '<circle class="s" fill="#DDEDEF" stroke="none" cx="120" cy="82" r="66"/><path class="p" fill="#fff" d="M92 28h48l18 18v72H92Z"/><path d="M140 28v18h18M104 66h40M104 80h40M104 94h26M104 44v12M98 50h12"/><path class="p" fill="#fff" d="M66 52h26v76H66Z"/><path d="M72 68h14M72 80h14"/><path class="k" fill="#0B5566" d="M56 92h36l10 12h76l-8 40c-1 3-3 4-6 4H70c-3 0-5-1-6-4Z"/><path class="y" fill="#F2A900" d="M112 126c0-8 5-13 13-13h13v13c0 8-5 13-13 13h-13Z"/><path d="m118 127 5 5 9-11"/><path class="b" stroke="#0B5566" stroke-width="3" d="M-600 158H192l5-13 9 24 6-11H900"/>',
  /** An ambulance on its way. */
  help: '<path class="s" fill="#DDEDEF" stroke="none" d="M14 158c4-56 44-104 106-104s102 48 106 104Z"/><path class="p" fill="#fff" d="M34 68h94v76H34Z"/><path class="p" fill="#fff" d="M128 86h34c5 0 8 2 11 6l16 24c3 4 4 7 4 11v17h-65Z"/><path d="M142 98h18c3 0 5 1 6 4l10 16h-34ZM34 122h94"/><path class="r" stroke="#B8121F" stroke-width="3.5" d="M46 96h20l5-12 9 24 6-12h24"/><path class="y" fill="#F2A900" d="M112 68v-6c0-6 4-10 10-10h6v16"/><path d="M138 50l8-6M126 44v-8"/><circle class="p" fill="#fff" cx="64" cy="145" r="13"/><circle class="p" fill="#fff" cx="160" cy="145" r="13"/><path d="M64 145h.1M160 145h.1" stroke-width="5"/><path class="b" stroke="#0B5566" stroke-width="3" d="M-600 158H202l5-13 9 24 6-11H900"/>',
};
export type Drawing = keyof typeof drawings;

/** A decorative drawing: needs text next to it. */
export function Illustration({ name, className }: { name: Drawing; className?: string }) {
  return (
    <svg
      className={classes("ill", className)}
      viewBox="0 0 240 180"
      fill="none"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing
      dangerouslySetInnerHTML={{ __html: drawings[name] }}
    />
  );
}
