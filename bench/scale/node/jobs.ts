import type { SavedKind, SavedThrough } from './counted-store.ts';

/** The job of both processes of a running node. */
export interface NodeJob {
  readonly seed: string;
  readonly prefix: string;
  /** The Redis of the measured partitions, and the one that stands for all others. */
  readonly redisUrl: string;
  readonly othersUrl: string;
  /** Null: the embedded store. */
  readonly mongodbUrl: string | null;
  readonly partitions: readonly number[];
}

/** What the parent tells both. `begin`: the window begins; `end`: it is over, and the answer is the result. */
export type NodeCommand = 'begin' | 'end';

/** What the measured node answers. */
export interface NodeResult {
  readonly log: {
    readonly appends: number;
    readonly appended: readonly (readonly [string, number])[];
    readonly appendedCharacters: number;
    readonly read: number;
    readonly readCharacters: number;
  };
  readonly saves: number;
  readonly kinds: readonly (readonly [string, SavedKind])[];
  readonly saved: readonly SavedThrough[];
  /** Messages that were handled and parked since the start. */
  readonly handled: readonly { readonly kind: string; readonly outcome: string; readonly count: number }[];
}

/** An impression of a publisher whose ledger is in a measured partition, and when it was appended. */
export interface SentImpression {
  readonly publisher: string;
  readonly partition: number;
  readonly sentAtMs: number;
}

/** What the rest of the exchange answers. */
export interface RestResult {
  /** Impressions of the measured partitions in the window. */
  readonly impressions: number;
  readonly sent: readonly SentImpression[];
}
