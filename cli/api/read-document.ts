import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CommandFailed } from '../definition.ts';

/**
 * Reads a JSON object that was given as itself, as `@file` or as `-` for standard input.
 * @param what the name of the option or argument, for errors
 */
export async function readDocument(given: string, what: string): Promise<Record<string, unknown>> {
  const source =
    given === '-' ? await text(process.stdin) : given.startsWith('@') ? await readText(given.slice(1), what) : given;
  try {
    const document: unknown = JSON.parse(source);
    if (typeof document === 'object' && document !== null && !Array.isArray(document)) {
      return document as Record<string, unknown>;
    }
  } catch (error) {
    throw new CommandFailed(`${what} is no JSON: ${(error as Error).message}`);
  }
  throw new CommandFailed(`${what} is JSON, but no object.`);
}

/** Reads a JSON object from a file, or with `-` from standard input. */
export function readDocumentFile(file: string, what: string): Promise<Record<string, unknown>> {
  return readDocument(file === '-' ? '-' : `@${file}`, what);
}

async function readText(file: string, what: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandFailed(`${what} cannot be read: ${error.message}`);
  });
}
