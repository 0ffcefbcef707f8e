/** The hostile sheets of an import: each is a table, or a sentence says what to do. */
import { readFile } from "node:fs/promises";
import { zipSync } from "fflate";
import { writeXlsx } from "hucre/xlsx";
import { expect, it } from "vitest";
import { rowsOf } from "./read-sheet.server.ts";
import { readSheet } from "./sheet.ts";

const text = (content: string) => new TextEncoder().encode(content);
async function table(bytes: Uint8Array, sheet: string | null = null) {
  const read = await readSheet(bytes, sheet);
  return "fault" in read ? read.fault : [...rowsOf(read.rows)].map(({ number, cells }) => [number, ...cells]);
}
const utf16 = (content: string) => new Uint8Array(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(content, "utf16le")]));

it.each([
  ["UTF-8", text("Name,Phone\nషేక్ రెహానా,9848012345\n")],
  ["UTF-8 with mark", text("\uFEFFName,Phone\r\nషేక్ రెహానా,9848012345\r\n")],
  ["UTF-16", utf16("Name\tPhone\nషేక్ రెహానా\t9848012345\n")],
  ["UTF-16 without mark", utf16(`Name;Phone\n${"A".repeat(99)};1\n`).subarray(2)],
  ["semicolons", text("Name;Phone\nషేక్ రెహానా;9848012345\n")],
])("reads %s", async (name, bytes) => {
  const rows = await table(bytes);
  expect(rows[0]).toEqual([1, "Name", "Phone"]);
  if (name !== "UTF-16 without mark") expect(rows[1]).toEqual([2, "షేక్ రెహానా", "9848012345"]);
});

it("reads Windows-1252", async () =>
  expect(await table(new Uint8Array(Buffer.from("Name,City\nJos\xe9,Goa\n", "latin1")))).toEqual([
    [1, "Name", "City"],
    [2, "José", "Goa"],
  ]));

it("decodes a UTF-8 file that has a byte of another encoding, and marks that byte", async () =>
  expect(await table(Buffer.concat([text("Name,City\nషేక్ రెహానా,Guntur\nJos"), Buffer.from([0xe9]), text(",Goa\n")]))).toEqual([
    [1, "Name", "City"],
    [2, "షేక్ రెహానా", "Guntur"],
    [3, "Jos\uFFFD", "Goa"],
  ]));

it("separates cells where each line does, whatever the addresses contain", async () => {
  const lines = Array.from({ length: 21 }, (_, n) => `Sita;98480123${String(n).padStart(2, "0")};D.No 1, Road 2, Benz Circle, Vijayawada`);
  const rows = await table(text(`Asha Clinic, Vijayawada\nName;Phone;Address\n${lines.join("\n")}\n`));
  expect(rows.slice(0, 2)).toEqual([
    [2, "Name", "Phone", "Address"],
    [3, "Sita", "9848012300", "D.No 1, Road 2, Benz Circle, Vijayawada"],
  ]);
});

it("reads values that another program keeps from Excel, and leaves failed formulas and a header PK as they are meant", async () =>
  expect(await table(text('PK,Name,Phone\n1,="Sita",="9848012345"\n2,#N/A,#REF!\n'))).toEqual([
    [1, "PK", "Name", "Phone"],
    [2, "1", "Sita", "9848012345"],
    [3, "2"],
  ]));

it("reads quotes and line breaks in a cell, leaves out blank rows and titles, and keeps the numbers of rows", async () => {
  const csv = 'Asha Clinic\n\nName,Phone\n"Rao, ""B.""\nRamana",9848012345\n\n,,\nSita,9000000001\n';
  expect(await table(text(csv))).toEqual([
    [3, "Name", "Phone"],
    [4, 'Rao, "B."\nRamana', "9848012345"],
    [7, "Sita", "9000000001"],
  ]);
});

it("removes the apostrophe before a formula or a number, and none that belongs to the value", async () =>
  expect(await table(text("Name,Phone,Note\nSita,'9848012345,'=1+1\nRavi,,''quoted'\n'Abd al-Karim,'+919848012345,' -2 kg\n"))).toEqual([
    [1, "Name", "Phone", "Note"],
    [2, "Sita", "9848012345", "=1+1"],
    [3, "Ravi", "", "'quoted'"],
    [4, "'Abd al-Karim", "+919848012345", "-2 kg"],
  ]));

it("reads a merged cell in its first cell, and leaves the rest of it empty", async () => {
  const rows = [
    ["Name", "Phone", "City"],
    ["Sita", "9848012345", "Guntur"],
    ["Ravi", "9848012346"],
  ];
  const merges = [{ startRow: 1, endRow: 2, startCol: 2, endCol: 2 }];
  expect(await table(await writeXlsx({ sheets: [{ name: "Register", rows, merges }] }))).toEqual([
    [1, "Name", "Phone", "City"],
    [2, "Sita", "9848012345", "Guntur"],
    [3, "Ravi", "9848012346"],
  ]);
});

/** Files that Excel and LibreOffice write. */
const stored = (name: string) => readFile(new URL(`../../../../tests/sheets/${name}`, import.meta.url));
it("reads the results of the formulas of a workbook, never the formulas", async () =>
  expect(await table(await stored("formulas.xlsx"))).toEqual([
    [1, "Name", "Mobile", "Age"],
    [2, "Ramesh", "9848012345", "46"],
    [3, "", "9848012346"],
  ]));
it.each([
  ["encrypted.xlsx", "password"],
  ["register.xls", "old-excel"],
  ["register.ods", "not-a-table"],
])("says what to do with %s", async (name, fault) => expect(await table(await stored(name))).toBe(fault));

it("reads numbers, dates and times of a workbook as they look", async () => {
  const bytes = await writeXlsx({
    sheets: [
      { name: "Other", rows: [["a"], ["b"]] },
      {
        name: "Register",
        rows: [
          ["Name", "Phone", "DOB"],
          ["Sita", 919848012345, new Date(Date.UTC(1984, 2, 2))],
        ],
      },
    ],
  });
  expect(await table(bytes, "Register")).toEqual([
    [1, "Name", "Phone", "DOB"],
    [2, "Sita", "919848012345", "1984-03-02"],
  ]);
  expect(await table(bytes, "Missing")).toBe("no-sheet");
});

it("says whether a workbook counts its days from 1904", async () => {
  const rows = [
    ["Name", "DOB", "Seen"],
    ["Sita", new Date(Date.UTC(1984, 2, 2)), 29281],
  ];
  const bytes = await writeXlsx({ sheets: [{ name: "Register", rows }], dateSystem: "1904" });
  expect(await readSheet(bytes, null)).toMatchObject({ isFrom1904: true });
  expect((await table(bytes))[1]).toEqual([2, "Sita", "1984-03-02", "29281"]);
  expect(await readSheet(await writeXlsx({ sheets: [{ name: "Register", rows }] }), null)).toMatchObject({ isFrom1904: false });
});

it("refuses what is no table, with the reason", async () => {
  const ole = (inside: string) =>
    new Uint8Array(Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(512), Buffer.from(inside, "utf16le")]));
  expect(await table(ole("EncryptedPackage"))).toBe("password");
  expect(await table(ole("Workbook"))).toBe("old-excel");
  expect(await table(text(""))).toBe("empty");
  expect(await table(text("Name,Phone\n"))).toBe("empty");
  expect(await table(text('Name\n"never ends'))).toBe("not-a-table");
  expect(await table(text("\n<html><table><tr><td>Name</td></tr></table></html>"))).toBe("old-excel");
  expect(await table(new Uint8Array([0x50, 0x4b, 3, 4, 9, 9]))).toBe("broken");
  expect(await table(zipSync({ "word/document.xml": text("<w/>") }))).toBe("not-a-table");
  expect(await table(text(`${"c,".repeat(300)}\n${"1,".repeat(299)}1\n`))).toBe("too-many-columns");
  expect(await table(text(`Name,Phone\n${"x,1\n".repeat(100_001)}`))).toBe("too-many-rows");
});

it("refuses an archive that unpacks into too much, before it is unpacked", async () => {
  const bytes = zipSync({ "[Content_Types].xml": text("<Types/>"), "xl/worksheets/sheet1.xml": new Uint8Array(1024) });
  // The size that the directory of the archive declares for its last part.
  const view = new DataView(bytes.buffer);
  let directory = 0;
  for (let i = 0; i < bytes.length - 4; i++) if (view.getUint32(i, true) === 0x02014b50) directory = i;
  view.setUint32(directory + 24, 210 * 1024 * 1024, true);
  expect(await table(bytes)).toBe("too-large");
});

it("refuses an archive whose end says two things: what is checked is what is read", async () => {
  const bytes = zipSync({ "[Content_Types].xml": text("<Types/>"), "xl/workbook.xml": text("<workbook/>") });
  const end = bytes.length - 22;
  const counted = bytes.slice();
  // The checked count; the library reads the other one, two bytes on.
  new DataView(counted.buffer).setUint16(end + 8, 1, true);
  expect(await table(counted)).toBe("broken");
  const located = Buffer.concat([bytes.subarray(0, end), Buffer.from("PK\x06\x07", "latin1"), Buffer.alloc(16), bytes.subarray(end)]);
  expect(await table(located)).toBe("broken");
});
