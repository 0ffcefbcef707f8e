import { expect, it } from "vitest";
import { wavOf } from "./to-wav.ts";

it("writes one channel with 16 bits, mixes the others into it, and limits loud sound", () => {
  const wav = Buffer.from(wavOf([Float32Array.of(0, 0.5, 1, -1, 3), Float32Array.of(0, -0.5, 1, -1, 3)]));
  expect(wav.length).toBe(54);
  expect([wav.toString("latin1", 0, 4), wav.toString("latin1", 8, 16), wav.toString("latin1", 36, 40)]).toEqual([
    "RIFF",
    "WAVEfmt ",
    "data",
  ]);
  expect([wav.readUInt32LE(4), wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt32LE(28), wav.readUInt32LE(40)]).toEqual([
    46, 1, 16_000, 32_000, 10,
  ]);
  expect([0, 1, 2, 3, 4].map((n) => wav.readInt16LE(44 + 2 * n))).toEqual([0, 0, 32_767, -32_767, 32_767]);
});
it("writes an empty file without channels", () => expect(wavOf([]).byteLength).toBe(44));
