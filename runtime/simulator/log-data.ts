import type { MemberCondition } from '../ports/leases.ts';
import type { SharedRecord } from '../ports/shared-records.ts';
import { CatalogueState } from './catalogue-state.ts';
import { PartitionState } from './partition-state.ts';

/** One change of a log server's data. Repeated on a copy of the same data it has the same effect. */
export type LogOperation = (data: LogData) => unknown;

/** All data of a log server, which it sends to its replicas. */
export class LogData {
  partitions: readonly PartitionState[];
  catalogue: CatalogueState;
  /** For each living process, the time when it counts as dead without another heartbeat, and its reported condition. */
  members = new Map<string, { readonly untilMs: number; readonly condition: MemberCondition }>();
  /** The name of these data; another after they were lost. */
  identity = '';
  /** The shared records by their ids. */
  records: ReadonlyMap<string, SharedRecord> = new Map();
  /** The newest epoch of the in-sync set in this data. */
  inSyncEpoch = 0;

  constructor(partitions: number, catalogueBound: number) {
    this.partitions = Array.from({ length: partitions }, (_, partition) => new PartitionState(partition));
    this.catalogue = new CatalogueState(catalogueBound);
  }

  copy(): LogData {
    const copied = new LogData(0, 0);
    copied.partitions = this.partitions.map((partition) => partition.copy());
    copied.catalogue = this.catalogue.copy();
    copied.members = new Map(this.members);
    copied.identity = this.identity;
    copied.records = this.records;
    copied.inSyncEpoch = this.inSyncEpoch;
    return copied;
  }
}
