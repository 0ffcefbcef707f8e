/** Reads a table file into rows of text. Runs in a worker thread (sheet.worker.ts): the file may be hostile. */

import { CsvError, parse } from "csv-parse/sync";
import { unzipSync } from "fflate";
import { readXlsx, streamXlsxRows } from "hucre/xlsx";
import { MAX_IMPORT_BYTES } from "#app/domains/platform/files/upload-limits.ts";
import { MAX_COLUMNS, MAX_ROWS, type SheetFault } from "./limits.ts";

const MAX_CELL = 2_000;
/** Most bytes of what is unpacked from a file, and of its table of shared texts. */
const MAX_UNPACKED = 200 * 1024 * 1024;
const MAX_SHARED = 40 * 1024 * 1024;
const MAX_PARTS = 2_000;
/** Most bytes of all rows as text. */
const MAX_ROWS_BYTES = 96 * 1024 * 1024;

/**
 * `rows`: lines of JSON, each `[number, ...cells]` with the number that a spreadsheet shows; the first is the header. `isFrom1904`: the workbook
 * counts its days from 1904, as Excel for Mac did. Cells with the format of a date are dates already; a column without it has the count.
 */
export type Sheet = {
  sheets: string[];
  sheet: string | null;
  isFrom1904: boolean;
  rowCount: number;
  columnCount: number;
  rows: Uint8Array;
};
export type SheetReading = Sheet | { fault: SheetFault };

class Refused extends Error {
  readonly fault: SheetFault;
  constructor(fault: SheetFault) {
    super(fault);
    this.fault = fault;
  }
}

/** Reads a CSV file or a sheet of an XLSX file. `sheet`: its name; the first one without it. */
export async function readSheet(bytes: Uint8Array, sheet: string | null): Promise<SheetReading> {
  try {
    if (bytes.length > MAX_IMPORT_BYTES) throw new Refused("too-large");
    if (isZip(bytes)) return await readWorkbook(bytes, sheet);
    if (starts(bytes, [0xd0, 0xcf, 0x11, 0xe0])) throw new Refused(isEncrypted(bytes) ? "password" : "old-excel");
    return readText(bytes);
  } catch (error) {
    if (error instanceof Refused) return { fault: error.fault };
    return { fault: error instanceof CsvError ? "not-a-table" : "broken" };
  }
}

/** An archive, such as a workbook: "PK", which a header of a CSV file can be, and two bytes that no text has. */
export const isZip = (bytes: Uint8Array) => starts(bytes, [0x50, 0x4b, 3, 4]);
const starts = (bytes: Uint8Array, magic: readonly number[]) => magic.every((byte, i) => bytes[i] === byte);
/** Office stores an encrypted workbook as a stream of this name, in UTF-16. */
const isEncrypted = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(Buffer.from("EncryptedPackage", "utf16le"));

async function readWorkbook(bytes: Uint8Array, asked: string | null): Promise<Sheet> {
  checkArchive(bytes);
  const sheets: string[] = [];
  const { dateSystem } = await readXlsx(bytes, {
    sheets: ({ name, hidden, veryHidden }) => {
      if (!hidden && !veryHidden) sheets.push(name);
      return false;
    },
  });
  const sheet = asked ?? sheets[0];
  if (sheet === undefined || !sheets.includes(sheet)) throw new Refused("no-sheet");
  const rows = new Rows();
  for await (const { index, values } of streamXlsxRows(bytes, { sheet })) rows.add(index + 1, values.map(textOf));
  return { sheets, sheet, isFrom1904: dateSystem === "1904", ...rows.finish() };
}

/**
 * Refuses an archive that unpacks into too much, before anything is unpacked: the library inflates no part beyond its declared size. It has no bound for
 * a part without one. The heap limit of the worker does not bound unpacked bytes, so the sizes seen here have to be those that the library sees.
 */
function checkArchive(bytes: Uint8Array): void {
  let total = 0;
  let parts = 0;
  let fault: SheetFault | null = null;
  const names = new Set<string>();
  unzipSync(bytes, {
    filter({ name, size, originalSize }) {
      if ((size === 0 || originalSize === 0) && !name.endsWith("/")) fault = "broken";
      total += originalSize;
      parts += 1;
      names.add(name);
      if (total > MAX_UNPACKED || parts > MAX_PARTS || (/sharedStrings/i.test(name) && originalSize > MAX_SHARED)) fault = "too-large";
      return false;
    },
  });
  if (fault) throw new Refused(fault);
  requireOneDirectory(bytes, parts);
  if (!names.has("[Content_Types].xml")) throw new Refused("not-a-table");
}

/** Refuses an archive whose end counts its parts in two ways, or names a second directory: two libraries would see two archives. */
function requireOneDirectory(bytes: Uint8Array, parts: number): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = file.lastIndexOf(END_OF_DIRECTORY);
  const isOne =
    end >= 0 &&
    end + 22 <= file.length &&
    file.readUInt16LE(end + 8) === parts &&
    file.readUInt16LE(end + 10) === parts &&
    !file.subarray(Math.max(0, end - 20), end).includes(ZIP64_LOCATOR);
  if (!isOne) throw new Refused("broken");
}
const END_OF_DIRECTORY = Buffer.from("PK\x05\x06", "latin1");
const ZIP64_LOCATOR = Buffer.from("PK\x06\x07", "latin1");

/** Returns a cell of a workbook as text. Dates are "2026-11-22", times "10:30", both "2026-11-22T10:30". */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return dateText(value);
  if (typeof value === "number") return numberText(value);
  if (typeof value === "object") return "";
  return String(value);
}
/** Never 9.19E+11. */
const numberText = (value: number) => (Number.isInteger(value) && Math.abs(value) < 1e21 ? BigInt(value).toString() : String(value));
function dateText(value: Date): string {
  if (Number.isNaN(value.getTime())) return "";
  // Excel counts fractions of a day: round to the minute.
  const [date = "", time = ""] = new Date(Math.round(value.getTime() / 60_000) * 60_000).toISOString().slice(0, 16).split("T");
  // A time without a date is on day 0.
  if (date < "1900-01-02") return time;
  return time === "00:00" ? date : `${date}T${time}`;
}

/** The apostrophe before a formula or another apostrophe, as in our own exports (docs/csv.md), or before a number typed as text. */
const GUARD = /^'(?=\s*[=+\-@＝＋－＠]|['\t\r\d])/;
/** `="9848012345"`: how other programs keep Excel from changing a value. */
const AS_TEXT = /^="([^"]*)"$/;
function readText(bytes: Uint8Array): Sheet {
  const text = decode(bytes);
  if (!text.trim()) throw new Refused("empty");
  if (text.includes("\0")) throw new Refused("not-a-table");
  // Other programs save a page of HTML or XML as ".xls".
  if (/^\s*</.test(text)) throw new Refused("old-excel");
  const rows = new Rows();
  let number = 0;
  parse(text, {
    delimiter: delimiterOf(text),
    relax_column_count: true,
    relax_quotes: true,
    // A quote that never ends would make one cell of the file.
    max_record_size: 1_000_000,
    on_record(cells: string[]) {
      rows.add(
        ++number,
        cells.map((cell) => cell.replace(GUARD, "").replace(AS_TEXT, "$1")),
      );
      return null;
    },
  });
  return { sheets: [], sheet: null, isFrom1904: false, ...rows.finish() };
}

/**
 * Decodes UTF-8, UTF-16 with its mark or by its pattern of zeros, and otherwise Windows-1252. A UTF-8 file with some bytes of
 * another encoding is still read as UTF-8: those bytes become U+FFFD, and their rows are refused (rows.ts).
 */
export function decode(bytes: Uint8Array): string {
  if (starts(bytes, [0xff, 0xfe])) return new TextDecoder("utf-16le").decode(bytes);
  if (starts(bytes, [0xfe, 0xff])) return new TextDecoder("utf-16be").decode(bytes);
  const head = bytes.subarray(0, 200);
  const zeros = (offset: number) => head.filter((byte, i) => i % 2 === offset && byte === 0).length / Math.max(1, head.length / 2);
  if (zeros(1) > 0.4 && zeros(0) < 0.1) return new TextDecoder("utf-16le").decode(bytes);
  if (zeros(0) > 0.4 && zeros(1) < 0.1) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder("utf-8").decode(bytes);
    const count = (characters: RegExp) => text.match(characters)?.length ?? 0;
    return count(/[^\p{ASCII}\uFFFD]/gu) > count(/\uFFFD/gu) ? text : new TextDecoder("windows-1252").decode(bytes);
  }
}

const DELIMITERS = [",", ";", "\t"] as const;
/** Returns the delimiter that most of the first lines have equally often, outside quotes: addresses have commas, too. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .replace(/"[^"]*"/g, "")
    .split(/[\r\n]+/);
  const steady = (delimiter: string) => {
    const counts = Map.groupBy(lines, (line) => line.split(delimiter).length - 1);
    counts.delete(0);
    return (
      [...counts].map(([cells, { length }]) => [length, cells] as const).sort((a, b) => b[0] - a[0] || b[1] - a[1])[0] ?? ([0, 0] as const)
    );
  };
  const isBetter = (a: string, b: string) => {
    const [[linesA, cellsA], [linesB, cellsB]] = [steady(a), steady(b)];
    return linesA > linesB || (linesA === linesB && cellsA > cellsB);
  };
  return DELIMITERS.reduce((best, one) => (isBetter(one, best) ? one : best));
}

/** Lines above the header that have one cell: the name of the clinic, a year. */
const MAX_TITLES = 5;

/** Collects rows within the bounds. Leaves out blank rows, and titles above the header. */
class Rows {
  private readonly lines: Buffer[] = [];
  private readonly titles: [number: number, cells: string[]][] = [];
  private columns = 0;
  private bytes = 0;

  add(number: number, given: readonly string[]): void {
    const cells = given.map(tidy);
    while (cells.at(-1) === "") cells.pop();
    if (!cells.length) return;
    if (!this.lines.length && cells.length === 1 && this.titles.length < MAX_TITLES) this.titles.push([number, cells]);
    else this.store(number, cells);
  }

  private store(number: number, cells: string[]): void {
    if (cells.length > MAX_COLUMNS) throw new Refused("too-many-columns");
    if (this.lines.length > MAX_ROWS) throw new Refused("too-many-rows");
    this.columns = Math.max(this.columns, cells.length);
    const line = Buffer.from(`${JSON.stringify([number, ...cells])}\n`);
    // One text of a workbook can be shared by every cell: the heap of the worker does not bound what it becomes.
    this.bytes += line.length;
    if (this.bytes > MAX_ROWS_BYTES) throw new Refused("too-large");
    this.lines.push(line);
  }

  finish(): Omit<Sheet, "sheets" | "sheet" | "isFrom1904"> {
    // A table of one column has no titles.
    if (this.columns <= 1 && this.titles.length) {
      const rest = this.lines.splice(0);
      for (const [number, cells] of this.titles) this.store(number, cells);
      this.lines.push(...rest);
    }
    if (this.lines.length < 2) throw new Refused("empty");
    return { rowCount: this.lines.length - 1, columnCount: this.columns, rows: Buffer.concat(this.lines) };
  }
}

/** Control characters would break a line of a page or of a CSV file. A line break inside a cell stays. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f]+/g;
/** What a spreadsheet shows for a formula that fails. */
const FAILED = /^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!)$/;
const tidy = (cell: string) => {
  const text = cell.replace(CONTROL, " ").trim().slice(0, MAX_CELL);
  return FAILED.test(text) ? "" : text;
};
