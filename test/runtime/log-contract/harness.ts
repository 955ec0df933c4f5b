import type { Context } from 'mocha';
import type { LogProvider } from '#runtime/ports/log-provider';
import { skipWithReason } from '../../support/skipped-tests.ts';

/** A fresh, empty log of at least 4 partitions, opened for one test; what a technology cannot do is left out. */
export interface LogHarness {
  readonly provider: LogProvider;
  /** True for a Redis Cluster: no server has all partitions. */
  readonly isCluster?: boolean;
  /** The same log as opened by another process. The caller closes it. */
  connect?(): Promise<LogProvider>;
  /** Closes `provider` and opens the same log again, as a restart does. The caller closes it. */
  reopen?(): Promise<LogProvider>;
  /** Drops every connection of `provider` and refuses new ones until the returned function is called. */
  interrupt?(): Promise<() => Promise<void>>;
  /** Destroys the entries of a partition and what is known of its positions; leases and cursor stay. */
  wipePartition?(partition: number): Promise<void>;
  /** Destroys the catalogue log, as the loss of its server does. */
  wipeCatalogue?(): Promise<void>;
  /** Ends `provider` and removes what the test left. */
  close(): Promise<void>;
}

/** Opens a log for one test; may skip it. */
export type OpenLog = (test: Context) => Promise<LogHarness>;

/** Declares tests that each get a log of their own. */
export type DeclareTest = (title: string, run: (harness: LogHarness, test: Context) => Promise<void>) => void;

type Capability = 'connect' | 'reopen' | 'interrupt' | 'wipePartition' | 'wipeCatalogue';

const WORDS: Readonly<Record<Capability, string>> = {
  connect: 'connect to',
  reopen: 'reopen',
  interrupt: 'interrupt',
  wipePartition: 'wipe partitions of',
  wipeCatalogue: 'wipe a catalogue of',
};

/** The named capability, or a skipped test where the provider lacks it. */
export function required<C extends Capability>(
  harness: LogHarness,
  capability: C,
  test: Context,
): NonNullable<LogHarness[C]> {
  const found = harness[capability];
  if (!found) return skipWithReason(test, `this log has nothing to ${WORDS[capability]}`);
  return found.bind(harness) as NonNullable<LogHarness[C]>;
}
