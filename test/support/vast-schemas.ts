import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateXML } from 'xmllint-wasm';
import type { VastVersion } from '../../exchange/vast/vast-version.ts';
import { declareSkipped } from './skipped-tests.ts';

/** IAB Tech Lab's schemas and samples lie beside the repository; the README there says where from. */
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

/** Declares a test that wants the schemas, or its place where they are missing. */
export function itWithSchemas(title: string, holds: () => Promise<void>): void {
  if (areSchemasPresent()) it(title, holds);
  else declareSkipped(title, MISSING);
}

/** Declares tests that want the schemas. Where they are missing, one test by name is reported as left out. */
export function describeWithSchemas(title: string, declare: () => void): void {
  describe(title, () => {
    if (areSchemasPresent()) declare();
    else declareSkipped('every document by the schemas', MISSING);
  });
}

/** What each version's schema says against the documents; one string for each fault, with the document's index. */
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
 * VAST's macros stand in brackets (VAST 4.2 §6), which the validator, stricter than the schemas' own `anyURI`, takes
 * nowhere in a URI: they are percent-encoded for it.
 */
function withoutMacros(document: string): string {
  return document
    .replace(/^\ufeff/, '')
    .trimStart()
    .replace(/(?<!<!\[CDATA)\[(?!CDATA\[)([a-z][a-z0-9_]*)\]/gi, '%5B$1%5D');
}
