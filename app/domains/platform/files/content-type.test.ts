import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { zip64Claiming, zipClaiming } from "../../../../tests/factories/zips.ts";
import { documentTypeOf, soundTypeOf } from "./content-type.ts";

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((p) => (typeof p === "string" ? Buffer.from(p, "latin1") : Buffer.from(p))));
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const zip = (...names: string[]) => zipSync(Object.fromEntries(names.map((name) => [name, strToU8("x")])));
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

describe("documents", () => {
  it.each([
    ["a PDF", bytes("%PDF-1.7\n"), "application/pdf"],
    ["Word 97", Buffer.concat([Buffer.from(COMPOUND), Buffer.alloc(600), Buffer.from("WordDocument", "utf16le")]), "application/msword"],
    ["Word", zip("[Content_Types].xml", "word/document.xml"), DOCX],
  ])("%s", (_, file, type) => expect(documentTypeOf(file)).toBe(type));
  it.each([
    ["nothing", bytes("")],
    ["a PDF further down", bytes("<html>%PDF-1.7")],
    ["HTML", bytes("<!doctype html><script>alert(1)</script>")],
    ["SVG", bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["a program", bytes("MZ\x90")],
    ["Excel 97", Buffer.concat([Buffer.from(COMPOUND), Buffer.from("Workbook", "utf16le")])],
    ["Excel", zip("[Content_Types].xml", "xl/workbook.xml")],
    ["Word with macros", zip("[Content_Types].xml", "word/document.xml", "word/vbaProject.bin")],
    ["any zip", zip("readme.txt")],
    ["a zip64, which claims what it likes", zip64Claiming(0xffff_ffff)],
    ["a zip that claims more entries than fit into its directory", zipClaiming(0xffff)],
    ["a zip with more entries than any document has", zip(...Array.from({ length: 10_001 }, (_, n) => `word/${n}.xml`))],
    ["a broken zip", bytes([0x50, 0x4b, 3, 4], "[Content_Types].xml word/document.xml")],
  ])("refuses %s", (_, file) => expect(documentTypeOf(file)).toBeNull());
});

describe("recordings", () => {
  it.each([
    ["Chromium, Firefox", bytes([0x1a, 0x45, 0xdf, 0xa3], "\x9fB\x86\x81\x01B\xf7\x81\x01B\x82\x84webm"), "audio/webm"],
    ["Safari", bytes([0, 0, 0, 0x1c], "ftypiso5"), "audio/mp4"],
    ["Ogg", bytes("OggS\0\x02"), "audio/ogg"],
    ["MP3 with a head", bytes("ID3\x04"), "audio/mpeg"],
    ["MP3", bytes([0xff, 0xfb, 0x90]), "audio/mpeg"],
    ["AAC", bytes([0xff, 0xf1, 0x50]), "audio/aac"],
    ["AIFF", bytes("FORM\0\0\0\x24AIFFCOMM"), "audio/aiff"],
    ["AIFF, compressed", bytes("FORM\0\0\0\x24AIFCFVER"), "audio/aiff"],
    ["FLAC", bytes("fLaC\0\0\0\x22"), "audio/flac"],
    ["WAV", bytes("RIFF\x24\0\0\0WAVEfmt "), "audio/wav"],
  ])("%s", (_, file, type) => expect(soundTypeOf(file)).toBe(type));
  it.each([
    ["nothing", bytes("")],
    ["Matroska", bytes([0x1a, 0x45, 0xdf, 0xa3], "B\x82\x88matroska")],
    ["a picture", bytes("RIFF\x24\0\0\0WEBPVP8 ")],
    ["a page", bytes("<html>webm ftyp</html>")],
    ["a form of another kind", bytes("FORM\0\0\0\x24ILBMBMHD")],
    ["the sound of an old phone", bytes("#!AMR\n\x3c")],
  ])("refuses %s", (_, file) => expect(soundTypeOf(file)).toBeNull());
});
