import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/**
 * Writes .br (11) and .gz (9) next to every compressible client file. Called from `buildEnd`, because React Router writes
 * manifest-*.js after `writeBundle`.
 */
export function precompress(dir: string) {
  for (const file of readdirSync(dir, { recursive: true }) as string[]) {
    if (!/\.(js|css|svg|json|txt|webmanifest)$/.test(file)) continue;
    const raw = readFileSync(join(dir, file));
    if (raw.length < 256) continue;
    const small = compress(raw);
    writeFileSync(join(dir, `${file}.br`), small.br);
    writeFileSync(join(dir, `${file}.gz`), small.gz);
  }
}

function compress(raw: Buffer) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length };
  return { br: brotliCompressSync(raw, { params }), gz: gzipSync(raw, { level: 9 }) };
}
