import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateXML } from 'xmllint-wasm';
import type { VastVersion } from '../../exchange/vast/vast-version.ts';
import { declareSkipped } from './skipped-tests.ts';

/** The folder with IAB Tech Lab's schemas and samples, beside the repository; the README there names their source. */
export const VAST_FOLDER = join(process.cwd(), '../shared/data/vast');

const SCHEMAS: Readonly<Record<VastVersion, string>> = {
  '2.0': 'vast-2.0.1.xsd',
  '3.0': 'vast-3.0.xsd',
  '4.0': 'vast-4.0.xsd',
  '4.1': 'vast-4.1.xsd',
  '4.2': 'vast-4.2.xsd',
};

export function areSchemasPresent(): boolean {
  return existsSync(join(VAST_FOLDER, 'xsd'));
}

const MISSING = `the VAST schemas are not there (${join(VAST_FOLDER, 'xsd')})`;

/** Declares a test that needs the schemas, or a skipped test when they are missing. */
export function itWithSchemas(title: string, holds: () => Promise<void>): void {
  if (areSchemasPresent()) it(title, holds);
  else declareSkipped(title, MISSING);
}

/** Declares tests that need the schemas, or one skipped test when they are missing. */
export function describeWithSchemas(title: string, declare: () => void): void {
  describe(title, () => {
    if (areSchemasPresent()) declare();
    else declareSkipped('every document by the schemas', MISSING);
  });
}

/** Validates documents against the schema of a version; answers one string per fault, with the document's index. */
export async function schemaFaults(version: VastVersion, documents: readonly string[]): Promise<string[]> {
  const schema = readFileSync(join(VAST_FOLDER, 'xsd', SCHEMAS[version]), 'utf8').replace(/^\ufeff/, '');
  const { valid, errors } = await validateXML({
    xml: documents.map((document, index) => ({ fileName: `${index}.xml`, contents: withoutMacros(document) })),
    schema: [{ fileName: 'vast.xsd', contents: schema }],
    maxMemoryPages: 4096,
  });
  if (valid) return [];
  return errors.map(({ rawMessage }) => rawMessage);
}

/**
 * VAST's macros are in brackets (VAST 4.2 §6). The validator is stricter than the schemas' own `anyURI` and accepts no
 * brackets in a URI, so they are percent-encoded for it.
 */
function withoutMacros(document: string): string {
  return document
    .replace(/^\ufeff/, '')
    .trimStart()
    .replace(/(?<!<!\[CDATA)\[(?!CDATA\[)([a-z][a-z0-9_]*)\]/gi, '%5B$1%5D');
}
