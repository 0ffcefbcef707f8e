import { encode } from "uqr";

const BORDER = 2;

/**
 * Returns a QR code as an SVG: always dark on white, because scanners need the contrast. Each row is one dashed line, a third of
 * the bytes of one square for each dot.
 */
export function qrCode(text: string): string {
  const { data, size } = encode(text, { border: BORDER });
  const rows = data.map((row, y) => {
    let path = "";
    for (let x = 0, at = 0; x < size; x++) {
      if (!row[x]) continue;
      let end = x;
      while (row[end]) end++;
      path += `${path ? `m${x - at} 0` : `M${x} ${y}.5`}h${end - x}`;
      at = x = end;
    }
    return path;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path stroke="#10242a" d="${rows.join("")}"/></svg>`;
}
