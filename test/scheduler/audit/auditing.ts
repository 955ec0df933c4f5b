import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { StateStore } from '#runtime/ports/store';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { type Audit, auditBooks } from '#scheduler/audit/audit-books';
import { books, KINDS, MARCH, PARTITIONS } from './books.ts';

/** To be called in a suite: a store for each test, and the audit of what it holds. */
export function auditing() {
  let folder: string;
  let store: StateStore;
  let close: () => Promise<void>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audit-'));
    const embedded = await openEmbedded({ folder, partitions: PARTITIONS, clock: systemClock });
    ({ store, close } = embedded);
    close = () => embedded.close();
    await store.prepare(KINDS.map((kind) => ({ kind, indexes: [] })));
  });
  afterEach(async () => {
    await close();
    await rm(folder, { recursive: true });
  });

  /** Audits the books after a change of one document. */
  async function audited(
    address?: string,
    // biome-ignore lint/suspicious/noExplicitAny: whatever can be spoilt
    spoil: (state: any) => void = () => {},
    stretch = MARCH,
  ): Promise<Audit> {
    const documents = books();
    if (address !== undefined) {
      expect(documents.has(address), address).to.equal(true);
      spoil(documents.get(address)!.state);
    }
    await store.save([...documents.values()]);
    return auditBooks(store, stretch);
  }

  return {
    get store() {
      return store;
    },
    audited,
  };
}

/** Which checks differ, each once. */
export const checksOf = ({ differences }: Audit) => [...new Set(differences.map(({ check }) => check))].sort();
