/** Returns a 220-byte zip with one empty entry whose zip64 end record claims `entries` files. */
export function zip64Claiming(entries: number): Buffer {
  const zip = Buffer.alloc(220);
  zip.set([0x50, 0x4b, 0x03, 0x04]);
  const [record, locator, end] = [122, 178, 198];
  zip.writeUInt32LE(0x06064b50, record);
  zip.writeUInt32LE(entries, record + 32);
  zip.writeUInt32LE(30, record + 48);
  zip.writeUInt32LE(0x07064b50, locator);
  zip.writeUInt32LE(record, locator + 8);
  zip.writeUInt32LE(0x06054b50, end);
  zip.writeUInt16LE(0xffff, end + 8);
  zip.writeUInt16LE(0xffff, end + 10);
  return zip;
}

/** Returns a zip whose end record claims `entries` files in a 46-byte directory. */
export function zipClaiming(entries: number): Buffer {
  const zip = Buffer.alloc(98);
  zip.set([0x50, 0x4b, 0x03, 0x04]);
  zip.writeUInt32LE(0x02014b50, 30);
  zip.writeUInt32LE(0x06054b50, 76);
  zip.writeUInt16LE(entries, 84);
  zip.writeUInt16LE(entries, 86);
  zip.writeUInt32LE(46, 88);
  zip.writeUInt32LE(30, 92);
  return zip;
}
