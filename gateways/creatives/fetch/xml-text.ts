import { TextDecoder } from 'node:util';

/**
 * Decodes an XML document. The encoding comes from its byte-order mark, its declaration or its server, in that order
 * (XML 1.0 appendix F; RFC 7303 §3 lets the mark win); UTF-8 when none of them names a known encoding. UTF-16 is not
 * believed where the first tag can be read byte by byte, as by browsers (WHATWG, prescan of a byte stream). The text
 * has no mark.
 */
export function xmlText(bytes: Buffer, contentType: string): string {
  const mark = markOf(bytes);
  if (mark !== null) return new TextDecoder(mark).decode(bytes);
  const isByteByByte = BYTE_BY_BYTE.test(bytes.toString('latin1', 0, READ_BYTES));
  for (const label of [declaredIn(bytes), charsetOf(contentType)]) {
    const decoder = label === null ? null : decoderOf(label);
    if (decoder !== null && !(isByteByByte && decoder.encoding.startsWith('utf-16'))) return decoder.decode(bytes);
  }
  return new TextDecoder().decode(bytes);
}

/** The first bytes, which an encoding is looked for in. */
const READ_BYTES = 200;
const BYTE_BY_BYTE = /^\s*<[^\0]/;

function markOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : null;
}

function declaredIn(bytes: Buffer): string | null {
  return (
    /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']/.exec(bytes.toString('latin1', 0, READ_BYTES))?.[1] ?? null
  );
}

function charsetOf(contentType: string): string | null {
  return /;\s*charset\s*=\s*"?([\w.-]+)/i.exec(contentType)?.[1] ?? null;
}

function decoderOf(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}
