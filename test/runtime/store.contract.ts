import { deadLetterCases } from './store-contract/dead-letter-cases.ts';
import { documentCases } from './store-contract/document-cases.ts';
import { faultCases } from './store-contract/fault-cases.ts';
import type { DeclareTest, OpenStore, StoreFixture } from './store-contract/fixture.ts';
import { idRangeCases } from './store-contract/id-range-cases.ts';
import { markCases } from './store-contract/mark-cases.ts';
import { pageCases } from './store-contract/page-cases.ts';
import { purgeCases } from './store-contract/purge-cases.ts';
import { queryCases } from './store-contract/query-cases.ts';
import { saveCases } from './store-contract/save-cases.ts';
import { scanCases } from './store-contract/scan-cases.ts';

/**
 * The conformance suite of `StateStore`: what every store technology must keep, on fresh data that `open` gives. Tests
 * of what a technology cannot do (see the optional parts of {@link StoreFixture}) are skipped, by name.
 */
export function storeContract(name: string, open: OpenStore): void {
  describe(`the store contract, kept by ${name}`, () => {
    describe('undisturbed', () => {
      let fixture: StoreFixture | undefined;
      before(async function () {
        fixture = await open(this);
      });
      after(async () => fixture?.end());
      const declare: DeclareTest = (title, run) => {
        it(title, () => run({ store: fixture!.store, other: fixture!.other ?? fixture!.store }));
      };
      describe('documents', () => documentCases(declare));
      describe('saves', () => saveCases(declare));
      describe('queries', () => queryCases(declare));
      describe('pages', () => pageCases(declare));
      describe('ranges of ids', () => idRangeCases(declare));
      describe('purges', () => purgeCases(declare));
      describe('scans', () => scanCases(declare));
      describe('dead letters', () => deadLetterCases(declare));
      describe('marks', () => markCases(declare));
    });
    describe('disturbed', () => faultCases(open));
  });
}
