import { queueFiguresCsv } from "#app/domains/waiting-room/figures/csv.ts";
import type { QueueReport } from "#app/domains/waiting-room/figures/figures.ts";

/** Returns the figures of queues as a CSV file. */
export const queueFiguresFile = (report: QueueReport): Response =>
  new Response(queueFiguresCsv(report), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="nadi-queue-${report.from}-${report.until}.csv"`,
      "Cache-Control": "no-store",
    },
  });
