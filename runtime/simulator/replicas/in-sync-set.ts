/** The document in the store that says which servers of a log group hold all that was ever acknowledged. */
export interface InSyncSet {
  /** Raised by each change; changes compare and set on it. */
  readonly version: number;
  /** Raised with each server that begins to join. */
  readonly epoch: number;
  readonly members: readonly string[];
  /** The member that processes take for the primary. Noted before anything is sent to it, so that the version tells of each failover. */
  readonly primary: string;
  /** What is acknowledged waits for these too. */
  readonly joining: readonly string[];
  /** Each member's data holds this epoch, or the member has lost its data. */
  readonly written: number;
}

/** That of the first set: from the start on, a member that has lost its data is known by it. */
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

  /** False where the set was changed since `next` was made of it. */
  compareAndSet(next: InSyncSet): boolean {
    if (next.version !== this.#set.version + 1) return false;
    this.#set = next;
    return true;
  }
}

export function withJoining(set: InSyncSet, name: string): InSyncSet {
  return { ...set, version: set.version + 1, epoch: set.epoch + 1, joining: [...set.joining, name] };
}

/** All that were joining have the epoch in their data, and so have the members. */
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

/** Whether a primary holds all that was acknowledged: it is a member, and has not lost its data. */
export function isUsable(set: InSyncSet, name: string, epochKept: number): boolean {
  return set.members.includes(name) && epochKept >= set.written;
}
