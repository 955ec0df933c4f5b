import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declareSkipped } from '../../support/skipped-tests.ts';

/** Those that were written for the tests. */
const OWN = join(process.cwd(), 'test/samples/openrtb');
/** OpenRTB requests collected from public projects lie beside the repository; its README says where from. */
const COLLECTED = join(process.cwd(), '../shared/data/openrtb');

export interface CollectedRequest {
  readonly file: string;
  readonly document: unknown;
}

/**
 * Declares tests over one folder of requests: of those that were written for the tests, and of the collected ones,
 * which are left out where they are missing.
 */
export function describeCollected(
  kind: 'valid' | 'invalid' | 'traffic',
  declare: (requests: readonly CollectedRequest[], from: 'our own' | 'collected') => void,
): void {
  describe(`our own requests in ${kind}`, () => declare(requestsIn(join(OWN, kind)), 'our own'));
  describe(`collected requests in ${kind}`, () => {
    if (existsSync(COLLECTED)) declare(requestsIn(join(COLLECTED, kind)), 'collected');
    else declareSkipped('every request', `the collected OpenRTB requests are not there (${COLLECTED})`);
  });
}

function requestsIn(folder: string): CollectedRequest[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  if (files.length === 0) throw new Error(`${folder} is empty`);
  return files.sort().map((file) => ({ file, document: JSON.parse(readFileSync(join(folder, file), 'utf8')) }));
}
