import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { DomainError } from "#app/lib/domain-error.ts";
import { workQueues } from "#app/lib/work-queue.ts";
import { png, svg } from "../../../../tests/factories/pictures.ts";
import { hugePng } from "../../../../tests/setup/applications.ts";
import { cleanImage, decodeImage } from "./images.server.ts";

const queue = () => [...workQueues].find(({ bounds }) => bounds.name === "pictures")!;
const codeOf = (work: Promise<unknown>) => work.then(() => "done").catch((error: unknown) => (error as DomainError).code);
const jpeg = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#336699" } })
    .jpeg()
    .toBuffer();

/** Submits images of these sizes at once and records which are processed at the same time. Only their headers are read. */
async function decodeAtOnce(sides: number[]) {
  const pictures = await Promise.all(sides.map(async (side) => new Uint8Array(await hugePng(side).arrayBuffer())));
  const running = new Set<number>();
  const seen: { count: number; pixels: number }[] = [];
  await Promise.all(
    pictures.map((bytes, nth) =>
      decodeImage(bytes, async () => {
        running.add(nth);
        seen.push({ count: running.size, pixels: [...running].reduce((sum, n) => sum + sides[n]! ** 2, 0) });
        // Leaves time for another one to start.
        await new Promise((ok) => setTimeout(ok, 20));
        running.delete(nth);
      }),
    ),
  );
  return seen;
}

describe("decoding pictures", () => {
  it("never decodes more than two at a time", async () => {
    const seen = await decodeAtOnce(Array.from({ length: 8 }, () => 400));
    expect(seen).toHaveLength(8);
    expect(Math.max(...seen.map(({ count }) => count))).toBe(2);
  });
  it("never decodes more than 25 megapixels together, and decodes a larger image alone", async () => {
    const seen = await decodeAtOnce([3_900, 3_900, 7_000, 3_500, 3_500]);
    expect(seen).toHaveLength(5);
    for (const { count, pixels } of seen) expect(count === 1 || pixels <= 25_000_000).toBe(true);
    expect(Math.max(...seen.map(({ pixels }) => pixels))).toBe(49_000_000);
  });
  it("refuses more images than may wait, with Retry-After", async () => {
    const bytes = await jpeg(40, 30);
    let open: () => void = () => undefined;
    const gate = new Promise<void>((ok) => {
      open = ok;
    });
    const { parallel, waiting } = queue().bounds;
    const pending = Array.from({ length: parallel + waiting }, () => decodeImage(bytes, () => gate));
    await expect.poll(() => queue().waiting).toBe(waiting);
    const refusal = await cleanImage(bytes).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "unavailable", retryAfterSeconds: expect.any(Number) });
    open();
    await Promise.all(pending);
    expect(await codeOf(cleanImage(bytes))).toBe("done");
  });
  it("accepts the largest photo of a phone, and refuses more pixels by the header alone", async () => {
    expect(await cleanImage(await jpeg(9_248, 6_936))).toMatchObject({ width: 2400, height: 1800 });
    const before = queue().running;
    expect(await codeOf(cleanImage(new Uint8Array(await hugePng(8_100).arrayBuffer())))).toBe("too-large");
    expect(queue().running).toBe(before);
  }, 60_000);
  it.each([
    ["a drawing", Buffer.from(svg)],
    ["a GIF", Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1")],
    ["a TIFF", Buffer.from("II*\0\x08\0\0\0", "latin1")],
    ["a PDF", Buffer.from("%PDF-1.7")],
    ["nothing", Buffer.alloc(0)],
    ["a cut-off picture", null],
  ])("refuses %s", async (_, bytes) => {
    expect(await codeOf(cleanImage(bytes ?? (await png()).subarray(0, 60)))).toBe("unsupported-type");
  });
  it("says what a HEIC photo is, and how to take one that can be opened", async () => {
    for (const brand of ["heic", "mif1", "heix"])
      await expect(cleanImage(Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic`, "latin1"))).rejects.toThrow(
        /This is a HEIC photo.*Most Compatible/,
      );
  });
});
