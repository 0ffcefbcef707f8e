import sharp from "sharp";

/** Returns a small JPEG with EXIF orientation, GPS position and camera name. */
export function photoWithPlace(size = { width: 64, height: 40 }): Promise<Buffer> {
  return sharp({ create: { ...size, channels: 3, background: "#c0392b" } })
    .jpeg()
    .withMetadata({
      orientation: 6,
      exif: {
        IFD0: { Make: "SECRETCAMERA" },
        IFD3: { GPSLatitudeRef: "N", GPSLatitude: "16/1 30/1 0/1", GPSLongitudeRef: "E", GPSLongitude: "80/1 38/1 0/1" },
      },
    })
    .toBuffer();
}
export const jpeg = (width = 120, height = 80): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: "#2980b9" } })
    .jpeg()
    .toBuffer();
export const png = (width = 40, height = 30): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: "#2980b9" } })
    .png({ compressionLevel: 9 })
    .toBuffer();
export const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>';

export const asFile = (bytes: Uint8Array | string, name: string, type = "image/jpeg") => new File([bytes as BlobPart], name, { type });
