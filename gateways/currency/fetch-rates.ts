import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { DatedRates } from '#exchange/currency/currency-rates';
import { InvalidRates, readRates } from '#exchange/currency/read-rates';
import { basicCredentials } from '../http/basic-credentials.ts';
import { undici } from '../http/undici.ts';

/** The published files have some 60 KB. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads the rates at a URL: `file:`, `http:` or `https:`, redirects followed. The operator chose it, so it may be in
 * the private network. Its user name and password are sent to its own origin alone.
 *
 * Throws for what cannot be read, is no JSON or holds no rates; the message names no credentials of the URL.
 */
export async function fetchRates(url: string, signal: AbortSignal): Promise<DatedRates> {
  const text = url.startsWith('file:') ? await readFile(fileURLToPath(url)) : await download(url, signal);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new InvalidRates('the document is no JSON');
  }
  return readRates(document);
}

async function readFile(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size > MAX_BYTES) throw new InvalidRates(`the document has more than ${MAX_BYTES} bytes`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

async function download(url: string, signal: AbortSignal): Promise<string> {
  const { fetch } = undici();
  const address = new URL(url);
  const authorization = basicCredentials(address);
  // `fetch` takes no URL with credentials, and its refusal repeats the URL.
  address.username = '';
  address.password = '';
  const headers = { accept: 'application/json', ...(authorization !== null && { authorization }) };
  const response = await fetch(address, { signal, headers });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new InvalidRates(`the source answered ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new InvalidRates(`the document has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
