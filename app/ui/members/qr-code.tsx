import { classes } from "../class-names.ts";

/** A QR code. `svg`: our own squares (qr-code.server.ts). */
export const QrCode = ({ svg, label, className = "mx-auto w-[min(15rem,100%)]" }: { svg: string; label: string; className?: string }) => (
  <div
    className={classes("overflow-hidden rounded-md [&_svg]:h-auto [&_svg]:w-full", className)}
    role="img"
    aria-label={label}
    // biome-ignore lint/security/noDangerouslySetInnerHtml: our own SVG of squares
    dangerouslySetInnerHTML={{ __html: svg }}
  />
);
