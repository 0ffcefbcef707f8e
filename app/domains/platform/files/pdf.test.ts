import { describe, expect, it } from "vitest";
import { pdf } from "../../../../tests/factories/pdfs.ts";
import { readPdf } from "./pdf.ts";

const JS = "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>";

describe("readPdf", () => {
  it.each([
    ["a page", pdf()],
    [
      "a form, an opening page and a link",
      pdf({ catalog: "/AcroForm << /Fields [] >> /OpenAction [3 0 R /Fit] /URI (https://example.org)" }),
    ],
    ["compressed objects", pdf({ packed: "1 0 << /Type /Catalog >>" })],
    ["compressed objects with predictor", pdf({ packed: "1 0 <<>>", filter: "/Filter [/FlateDecode] /DecodeParms <<>>" })],
    ["a photo of noise", pdf({ filling: Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919 + (i >> 7)) % 256)) })],
  ])("accepts %s", (_, file) => expect(readPdf(file).fault).toBeNull());

  it("cuts off what follows the end mark", () => {
    const file = pdf();
    const reading = readPdf(Buffer.concat([file, Buffer.from("PK\u0003\u0004 <script>alert(1)</script>")]));
    expect(reading).toEqual({ fault: null, end: file.length - 1 });
  });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["only the first bytes", Buffer.from("%PDF-1.7\n")],
    ["a web page with a PDF inside", Buffer.concat([Buffer.from("<html>"), pdf()])],
    ["half a file", pdf().subarray(0, 250)],
    ["a file without its last lines", pdf().subarray(0, -30)],
    ["an end mark without cross-reference", Buffer.from("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF")],
    ["a cross-reference behind the end", Buffer.from("%PDF-1.4\n1 0 obj<<>>endobj\nstartxref\n99999\n%%EOF")],
    ["a lot behind the end mark", Buffer.concat([pdf(), Buffer.alloc(5000, 65)])],
  ])("finds %s broken", (_, file) => expect(readPdf(file)).toEqual({ fault: "broken" }));

  it("finds a password", () => expect(readPdf(pdf({ trailer: "/Encrypt 9 0 R" }))).toEqual({ fault: "protected" }));

  it.each([
    ["a script", pdf({ catalog: JS })],
    ["an escaped script", pdf({ catalog: JS.replace("/JavaScript", "/J#61va#53cript") })],
    ["a script in compressed objects", pdf({ packed: `6 0 << ${JS} >>` })],
    ["an escaped script in compressed objects", pdf({ packed: `6 0 << ${JS.replace("/JavaScript", "/#4AavaScript")} >>` })],
    ["compressed objects without their type", pdf({ packed: `6 0 << ${JS} >>`, filter: "/Filter/FlateDecode" })],
    ["objects with a filter that cannot be read", pdf({ packed: "6 0 <<>>", filter: "/Filter [/ASCIIHexDecode /FlateDecode]" })],
    ["objects that unpack to too much", pdf({ packed: " ".repeat(30 * 1024 * 1024) })],
    ["a program to start", pdf({ catalog: "/OpenAction << /S /Launch /F (cmd.exe) >>" })],
    ["another file", pdf({ catalog: "/Names << /EmbeddedFiles << /Names [(a.exe) 9 0 R] >> >>" })],
    ["an XFA form", pdf({ catalog: "/AcroForm << /XFA 9 0 R >>" })],
  ])("finds %s", (_, file) => expect(readPdf(file)).toEqual({ fault: "active" }));
});
