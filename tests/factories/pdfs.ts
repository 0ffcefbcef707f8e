import { deflateSync } from "node:zlib";

type Parts = {
  /** Entries of the catalogue. */
  catalog?: string;
  /** Objects in a compressed object stream. */
  packed?: string;
  /** Entries of the object stream's dictionary, in place of `/Filter /FlateDecode`. */
  filter?: string;
  trailer?: string;
  /** Bytes of a page's content. */
  filling?: Buffer;
};

/** Returns a PDF of one page. */
export function pdf({
  catalog = "",
  packed,
  filter = "/Filter /FlateDecode",
  trailer = "",
  filling = Buffer.from("q Q"),
}: Parts = {}): Buffer {
  const parts = [
    Buffer.from(`%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R ${catalog} >>\nendobj\n`),
    Buffer.from("2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n"),
    Buffer.from("3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>\nendobj\n"),
    Buffer.from(`4 0 obj\n<< /Length ${filling.length} >>\nstream\n`),
    filling,
    Buffer.from("\nendstream\nendobj\n"),
  ];
  if (packed !== undefined) {
    const bytes = deflateSync(Buffer.from(packed));
    parts.push(Buffer.from(`5 0 obj\n<< /Type /ObjStm /N 1 /First 4 ${filter} /Length ${bytes.length} >>\nstream\r\n`), bytes);
    parts.push(Buffer.from("\r\nendstream\nendobj\n"));
  }
  const body = Buffer.concat(parts);
  const offsets = [1, 2, 3, 4].map((n) => `${String(body.indexOf(`\n${n} 0 obj`) + 1).padStart(10, "0")} 00000 n \n`);
  const table = `xref\n0 5\n0000000000 65535 f \n${offsets.join("")}trailer\n<< /Size 5 /Root 1 0 R ${trailer} >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.concat([body, Buffer.from(table)]);
}
