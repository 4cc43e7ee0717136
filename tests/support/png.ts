const signature = '89504e470d0a1a0a';

/** Reads the chunks of a PNG; throws if it is none. */
export function pngChunks(png: Buffer): { type: string; data: Buffer }[] {
  if (png.toString('hex', 0, 8) !== signature) throw new Error('This is no PNG');
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

/** Returns the size in pixels. */
export function pngSize(png: Buffer): { width: number; height: number } {
  const header = pngChunks(png)[0]?.data ?? Buffer.alloc(8);
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
}
