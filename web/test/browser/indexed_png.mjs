// Pictures of at most 256 colours as PNG, a byte for each pixel: half as large as with three.
import { deflateSync } from 'node:zlib';

const kTable = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function crc32(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = kTable[(value ^ byte) & 0xff] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

// `data`: red, green, blue and alpha of each pixel; alpha is left out.
export function indexedPng({ width, height, data }) {
  const indexOf = new Map();
  const pixels = Buffer.alloc(height * (width + 1)); // each line begins with its filter, which is none
  for (let at = 0; at < width * height; at++) {
    const color = (data[4 * at] << 16) | (data[4 * at + 1] << 8) | data[4 * at + 2];
    let index = indexOf.get(color);
    if (index === undefined) indexOf.set(color, (index = indexOf.size));
    pixels[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = index;
  }
  if (indexOf.size > 256) throw new Error(`${indexOf.size} colours are too many`);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // bits, indexed, and the usual of the rest
  const palette = Buffer.from([...indexOf.keys()].flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(pixels, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
