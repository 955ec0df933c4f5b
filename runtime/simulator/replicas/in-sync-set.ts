/** The stored document that names the servers of a log group with everything that was ever acknowledged. */
export interface InSyncSet {
  /** Rises with each change; changes compare and set on it. */
  readonly version: number;
  /** Rises with each server that begins to join. */
  readonly epoch: number;
  readonly members: readonly string[];
  /**
   * The member that processes use as the primary. It is stored before anything is sent to it, so that the version
   * changes with each failover.
   */
  readonly primary: string;
  /** Servers that acknowledgements also wait for. */
  readonly joining: readonly string[];
  /** The epoch that each member's data have, unless the member has lost its data. */
  readonly written: number;
}

/** The epoch of the first set: from the start it reveals a member that has lost its data. */
export const FIRST_EPOCH = 1;

/** As the store keeps it. */
export class InSyncSetRegister {
  #set: InSyncSet;

  constructor(members: readonly string[]) {
    const [primary] = members as [string];
    this.#set = { version: 1, epoch: FIRST_EPOCH, members, primary, joining: [], written: FIRST_EPOCH };
  }

  read(): InSyncSet {
    return this.#set;
  }

  /** Replaces the set. False when the set was changed since `next` was derived from it. */
  compareAndSet(next: InSyncSet): boolean {
    if (next.version !== this.#set.version + 1) return false;
    this.#set = next;
    return true;
  }
}

export function withJoining(set: InSyncSet, name: string): InSyncSet {
  return { ...set, version: set.version + 1, epoch: set.epoch + 1, joining: [...set.joining, name] };
}

/** Makes joining servers members; must be called once they and the members have the epoch in their data. */
export function withJoined(set: InSyncSet): InSyncSet {
  const members = [...set.members, ...set.joining];
  return { ...set, version: set.version + 1, members, joining: [], written: set.epoch };
}

export function withPrimary(set: InSyncSet, primary: string): InSyncSet {
  return { ...set, version: set.version + 1, primary };
}

export function withoutMember(set: InSyncSet, name: string): InSyncSet {
  const others = (names: readonly string[]) => names.filter((one) => one !== name);
  return { ...set, version: set.version + 1, members: others(set.members), joining: others(set.joining) };
}

/** Whether a primary has everything acknowledged: it is a member and has not lost its data. */
export function isUsable(set: InSyncSet, name: string, epochKept: number): boolean {
  return set.members.includes(name) && epochKept >= set.written;
}
