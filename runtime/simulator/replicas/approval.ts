import type { GroupServer } from './group-server.ts';
import type { InSyncSet } from './in-sync-set.ts';

/** What a process knows of the server that it is connected to. */
export interface Approval {
  readonly at: GroupServer;
  readonly life: number;
  readonly set: InSyncSet;
  readonly atMs: number;
}

/** A covered answer, and the epoch that the server's data held after it. */
export interface Covered<T> {
  readonly value: T;
  readonly epoch: number;
}
