import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { actorKinds } from '#composition/actor-kinds';
import type { ActorDocument, StateStore } from '#runtime/ports/store';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { document } from '../../runtime/store-contract/documents.ts';

export interface EmbeddedStoreAlone {
  readonly store: StateStore;
  /** Of this store alone, and removed with it. */
  readonly folder: string;
  put(kind: string, id: string, state: unknown, change?: Partial<ActorDocument>): Promise<void>;
  /** Ids of all that stands, tombstones too, sorted. */
  ids(kind: string): Promise<string[]>;
  close(): Promise<void>;
}

/** The embedded store with no actors at work: what stands in it is what a test puts there. */
export async function openStoreAlone(): Promise<EmbeddedStoreAlone> {
  const folder = await mkdtemp(join(tmpdir(), 'exchange-jobs-'));
  const { store, close } = await openEmbedded({ folder, partitions: 4, clock: systemClock });
  await store.prepare(actorKinds.map(({ kind, indexes = [] }) => ({ kind, indexes })));
  return {
    store,
    folder,
    async put(kind, id, state, change = {}) {
      await store.save([document(kind, id, { state, ...change })]);
    },
    async ids(kind) {
      const ids: string[] = [];
      for await (const { id } of store.scan(kind)) ids.push(id);
      return ids.sort();
    },
    async close() {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
