import type { ActorDocument, StateStore } from '../../../ports/store.ts';
import type { InSyncSet } from './in-sync-set.ts';

const KEY = { kind: 'redis-servers', id: 'log' };

/** The set as it was read: `version` 0 and no set where none was ever kept, or it was forgotten. */
export interface StoredInSyncSet {
  readonly version: number;
  readonly set: InSyncSet | null;
}

/** Keeps the set of servers in sync in the state store, apart from the servers that it judges. */
export class InSyncSetStore {
  readonly #store: Pick<StateStore, 'load' | 'save'>;
  readonly #writer: string;

  /** `writer` names this process, uniquely. */
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
   * Keeps `set` instead of what was read; `null` forgets it. False when somebody was quicker.
   * @throws {StoreUnavailable} when it is not known whether it is kept.
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
