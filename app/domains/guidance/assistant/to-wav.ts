/** Enough for speech. Gemini reduces sound to this rate itself. */
export const RATE = 16_000;

/** Returns a WAV file of one channel with 16 bits. `channels` have samples from -1 to 1, and are mixed. */
export function wavOf(channels: readonly Float32Array[], rate = RATE): ArrayBuffer {
  const length = channels[0]?.length ?? 0;
  const view = new DataView(new ArrayBuffer(44 + 2 * length));
  const write = (at: number, word: string) => {
    for (let i = 0; i < word.length; i++) view.setUint8(at + i, word.charCodeAt(i));
  };
  write(0, "RIFF");
  view.setUint32(4, 36 + 2 * length, true);
  write(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  // PCM, one channel.
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write(36, "data");
  view.setUint32(40, 2 * length, true);
  for (let i = 0; i < length; i++) {
    const mixed = channels.reduce((sum, channel) => sum + (channel[i] ?? 0), 0) / channels.length;
    view.setInt16(44 + 2 * i, Math.round(Math.max(-1, Math.min(1, mixed)) * 0x7fff), true);
  }
  return view.buffer;
}

/** Converts a recording of this browser. Rejects when the browser cannot read it, or without sound. */
export async function toWav(recording: Blob): Promise<Blob> {
  // The context of this rate converts to it.
  const sound = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(await recording.arrayBuffer());
  const channels = Array.from({ length: sound.numberOfChannels }, (_, n) => sound.getChannelData(n));
  return new Blob([wavOf(channels)], { type: "audio/wav" });
}
