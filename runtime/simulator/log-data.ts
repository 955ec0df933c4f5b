import type { MemberCondition } from '../ports/leases.ts';
import { CatalogueState } from './catalogue-state.ts';
import { PartitionState } from './partition-state.ts';

/** One change of a log server's data. Done again on a copy of what it was done on, it does the same. */
export type LogOperation = (data: LogData) => unknown;

/** All that a log server keeps, and sends to its replicas. */
export class LogData {
  partitions: readonly PartitionState[];
  catalogue: CatalogueState;
  /** Of each living process when it is taken for dead unless it is heard of again, and how it says that it is. */
  members = new Map<string, { readonly untilMs: number; readonly condition: MemberCondition }>();
  /** The newest epoch of the in-sync set that was written here. */
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
    copied.inSyncEpoch = this.inSyncEpoch;
    return copied;
  }
}
