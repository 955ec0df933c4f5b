import { appendCases } from './log-contract/append-cases.ts';
import { catalogueCases } from './log-contract/catalogue-cases.ts';
import { faultCases } from './log-contract/fault-cases.ts';
import type { DeclareTest, LogHarness, OpenLog } from './log-contract/harness.ts';
import { leaseCases } from './log-contract/lease-cases.ts';
import { onceCases } from './log-contract/once-cases.ts';
import { readCases } from './log-contract/read-cases.ts';
import { relayedCases } from './log-contract/relayed-cases.ts';
import { replyCases } from './log-contract/reply-cases.ts';

/**
 * The conformance suite of `LogProvider`: what every log technology must keep, each test on a fresh log that `open`
 * gives. Tests of what a technology cannot do (see the optional parts of {@link LogHarness}) are skipped, by name.
 */
export function logContract(name: string, open: OpenLog): void {
  describe(`the log contract, kept by ${name}`, () => {
    let harness: LogHarness | undefined;
    beforeEach(async function () {
      harness = await open(this);
    });
    afterEach(async () => {
      await harness?.close();
      harness = undefined;
    });
    const declare: DeclareTest = (title, run) => {
      it(title, async function () {
        await run(harness!, this);
      });
    };
    describe('append', () => appendCases(declare));
    describe('appendOnce', () => onceCases(declare));
    describe('appendRelayed', () => relayedCases(declare));
    describe('read', () => readCases(declare));
    describe('leases', () => leaseCases(declare));
    describe('catalogue', () => catalogueCases(declare));
    describe('replies', () => replyCases(declare));
    describe('faults', () => faultCases(declare));
  });
}
