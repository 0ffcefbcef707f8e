import { describe, expect, it } from "vitest";
import { aacFrames, mp4, oggPackets, opusPackets, webm } from "../../../../tests/factories/sounds.ts";
import { mp4ToAac, webmToOgg } from "./repackage-sound.ts";

describe("WebM to Ogg", () => {
  it.each([
    ["of unknown length, as it is recorded", webm({ packets: opusPackets(700) })],
    ["of known length", webm({ packets: opusPackets(700), sized: true })],
  ])("moves the packets of a file %s unchanged", (_, file) => {
    const { packets, samples } = oggPackets(Buffer.from(webmToOgg(file)!));
    expect(packets[0]!.toString("latin1")).toMatch(/^OpusHead/);
    expect(packets[1]!.toString("latin1")).toMatch(/^OpusTags/);
    expect(packets.slice(2)).toEqual(opusPackets(700));
    // 700 packets of 20 ms with 48 samples in each millisecond.
    expect(samples).toBe(700 * 20 * 48);
  });
  it("converts what was recorded of a file that ends early", () => {
    const whole = webm();
    const { packets } = oggPackets(Buffer.from(webmToOgg(whole.subarray(0, whole.length - 100))!));
    expect(packets.slice(2)).toEqual(opusPackets().slice(0, packets.length - 2));
    expect(packets.length).toBeGreaterThan(40);
  });
  it.each<[string, Uint8Array]>([
    ["another codec", webm({ codec: "A_VORBIS" })],
    ["a head that is none", webm({ head: Buffer.from("nonsense") })],
    ["several frames in a block", webm({ flags: 0x86 })],
    ["no sound", webm({ packets: [] })],
    ["empty packets", webm({ packets: [Buffer.alloc(0), Buffer.alloc(0)] })],
    ["a packet that no page can contain", webm({ packets: [Buffer.alloc(70_000, 8)] })],
    ["more packets than a minute has", webm({ packets: Array(31_000).fill(Buffer.from([8])) })],
    ["more bytes than a minute has", webm({ packets: Array(5000).fill(Buffer.alloc(1000, 8)) })],
    ["only a beginning", webm().subarray(0, 40)],
    ["millions of elements", Buffer.concat([webm(), Buffer.alloc(3_000_000, Buffer.from([0xec, 0x80]))])],
    ["lengths that lie", Buffer.from(webm()).fill(0xff, 60)],
    ["zeros", Buffer.concat([webm().subarray(0, 20), Buffer.alloc(1000)])],
    ["nothing", Buffer.alloc(0)],
  ])("refuses %s", (_, file) => expect(webmToOgg(file)).toBeNull());
});

describe("MP4 to AAC", () => {
  it.each([1, 7, 40, 100])("moves the frames unchanged, with %i in a chunk", (perChunk) => {
    const aac = Buffer.from(mp4ToAac(mp4({ perChunk }))!);
    const frames: Buffer[] = [];
    for (let at = 0; at < aac.length; ) {
      // AAC-LC, 44,100 samples a second, one channel.
      expect([aac[at], aac[at + 1], aac[at + 2], aac[at + 3]! & 0xfc]).toEqual([0xff, 0xf1, 0x50, 0x40]);
      const length = ((aac[at + 3]! & 3) << 11) | (aac[at + 4]! << 3) | (aac[at + 5]! >> 5);
      frames.push(aac.subarray(at + 7, at + length));
      at += length;
    }
    expect(frames).toEqual(aacFrames());
  });
  it.each<[string, Uint8Array]>([
    ["another codec", mp4({ object: 0x6b })],
    ["no sound", mp4({ frames: [] })],
    ["a frame that no head can state", mp4({ frames: [Buffer.alloc(9000)] })],
    ["a file whose end is missing", mp4().subarray(0, -200)],
    ["positions outside the file", Buffer.from(mp4()).fill(0xff, mp4().length - 40)],
    ["only a head", mp4().subarray(0, 24)],
    ["nothing", Buffer.alloc(0)],
  ])("refuses %s", (_, file) => expect(mp4ToAac(file)).toBeNull());
});

it("ends for any damaged file", () => {
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48271) % 0x7fffffff;
    return seed % below;
  };
  for (let n = 0; n < 400; n++) {
    const file = Buffer.from(n % 2 ? webm() : mp4());
    for (let i = 0; i < 1 + random(20); i++) file[random(file.length)] = random(256);
    (n % 2 ? webmToOgg : mp4ToAac)(file.subarray(0, random(file.length)));
    (n % 2 ? webmToOgg : mp4ToAac)(file);
  }
});
