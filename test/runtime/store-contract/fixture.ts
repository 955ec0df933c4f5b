import type { Context } from 'mocha';
import type { StateStore } from '#runtime/ports/store';

/** One store on fresh data, and what may be done to it; what a technology cannot do is left out. */
export interface StoreFixture {
  readonly store: StateStore;
  /** The same data as opened by a second process; left out where only one process may hold it. */
  readonly other?: StateStore;
  /** Closes `store` and opens the same data again. The fixture's `end` closes what it answers. */
  restart?(): Promise<StateStore>;
  /** Where there is a network to lose. The test calls `restore` in every case. */
  readonly connection?: { lose(): Promise<void>; restore(): Promise<void> };
  /** Closes everything and removes the data. */
  end(): Promise<void>;
}

/** Opens a store for one suite or test; may skip it. */
export type OpenStore = (test: Context) => Promise<StoreFixture>;

/** The store under test, and the same store opened by a second process where that is possible. */
export interface StoresUnderTest {
  readonly store: StateStore;
  readonly other: StateStore;
}

/** Declares tests that share one store; each works on kinds, names and partitions of its own. */
export type DeclareTest = (title: string, run: (stores: StoresUnderTest) => Promise<void>) => void;
