import type { ActorDocument, StateStore } from '#runtime/ports/store';
import type { InSyncSet } from './in-sync-set.ts';

const KEY = { kind: 'redis-servers', id: 'log' };

/** The stored set: `version` 0 and no set when none was ever stored or it was deleted. */
export interface StoredInSyncSet {
  readonly version: number;
  readonly set: InSyncSet | null;
}

/** Stores the set of servers in sync in the state store, apart from the servers that it judges. */
export class InSyncSetStore {
  readonly #store: Pick<StateStore, 'load' | 'save'>;
  readonly #writer: string;

  /** `writer` is the unique name of this process. */
  constructor(store: Pick<StateStore, 'load' | 'save'>, writer: string) {
    this.#store = store;
    this.#writer = writer;
  }

  /** @throws {StoreUnavailable} */
  async read(): Promise<StoredInSyncSet> {
    const [document] = await this.#store.load([KEY]);
    if (!document) return { version: 0, set: null };
    return { version: document.version, set: document.state as InSyncSet | null };
  }

  /**
   * Replaces the set that was read by `set`; `null` deletes it. False when another process replaced it first.
   *
   * @throws {StoreUnavailable} when the outcome is unknown.
   */
  async replace(read: StoredInSyncSet, set: InSyncSet | null): Promise<boolean> {
    const document: ActorDocument = {
      ...KEY,
      partition: 0,
      version: read.version + 1,
      writer: `${this.#writer}#${read.version + 1}`,
      position: '0-0',
      schema: 1,
      deleted: false,
      state: set,
      outbox: [],
      viewPending: false,
      received: {},
      replies: {},
      published: null,
    };
    const [outcome] = await this.#store.save([document]);
    return outcome === 'saved';
  }
}
