import { renderSVG } from "uqr";

/** A QR code as an SVG of our own colours: dark on white in both modes, because scanners need the contrast. */
export const qrCode = (text: string): string => renderSVG(text, { border: 2, pixelSize: 4, whiteColor: "#ffffff", blackColor: "#10242a" });
