/** Why a mutant lives, by the end of its file and a part of its line. */
export const SURVIVORS: { file: string; line: string; why: string }[] = [
  { file: "dose-sentence.ts", line: "size: amount === 0.5", why: "same: each word but half and one chooses the plural of a message" },
  {
    file: "doctor-access.ts",
    line: "documentsOpen: SQL",
    why: "SQL: privacy/file-access/doctor-access.db.test.ts compares it with the rule",
  },
  { file: "doctor-access.ts", line: "photoOpen = (now: Date): SQL", why: "SQL: the same test" },
  { file: "doctor-access.ts", line: "sql`not a.for_caller", why: "SQL: the same test" },
];
