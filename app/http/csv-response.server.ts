/** Returns a file for spreadsheets (`csvFile`), which is personal and never cached. */
export const csvResponse = (file: string, name: string): Response =>
  new Response(file, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
