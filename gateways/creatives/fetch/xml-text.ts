import { TextDecoder } from 'node:util';

/**
 * Decodes an XML document. The encoding comes from its byte-order mark, its declaration or its server, in that order
 * (XML 1.0 appendix F; RFC 7303 §3 lets the mark win); UTF-8 when none of them names a known encoding. The text has no
 * mark.
 */
export function xmlText(bytes: Buffer, contentType: string): string {
  return decoderOf(markOf(bytes) ?? declaredIn(bytes) ?? charsetOf(contentType) ?? 'utf-8').decode(bytes);
}

function markOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : null;
}

function declaredIn(bytes: Buffer): string | null {
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']/.exec(bytes.toString('latin1', 0, 200))?.[1] ?? null;
}

function charsetOf(contentType: string): string | null {
  return /;\s*charset\s*=\s*"?([\w.-]+)/i.exec(contentType)?.[1] ?? null;
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
