/** The name of a server as its primary knows it when it is a replica: `ip:port`. */
export type ServerName = string;

/** One primary and its replicas, whichever of them is the primary now. */
export interface ServerGroup {
  /** The servers that have everything that was ever acknowledged or handed out. Only they may serve as the primary. */
  readonly members: readonly ServerName[];
  /**
   * The member that processes use as the primary. It is stored before anything is sent to it, so that the set changes
   * with each failover: a late decision that was based on the primary before is not stored.
   */
  readonly primary: ServerName;
  /** Servers that are waited for like members, and become members when they have everything too. */
  readonly joining: readonly ServerName[];
  /**
   * Rises when a server begins to join. The data has it too, so that processes that have not read the new set learn of
   * it.
   */
  readonly epoch: number;
  /**
   * The newest epoch that is in the data of every member: a server with an older one has lost its data. 0 until the
   * first epoch is in the first member's data; the group is not used before.
   */
  readonly written: number;
}

/** The servers of a log: one group for each primary. */
export interface InSyncSet {
  readonly groups: readonly ServerGroup[];
  /** Servers that were made unpromotable when they were dropped, with their setting before. */
  readonly demoted: Readonly<Record<ServerName, string>>;
}

/** The first observation of a primary and its replicas. */
export interface ObservedGroup {
  readonly primary: ServerName;
  readonly replicas: readonly ServerName[];
  /** The epoch in the primary's data, 0 when there is none: a deleted set leaves its epoch behind. */
  readonly epoch: number;
}

/**
 * Forms the first set of a log. Every replica begins by joining, even if it has everything that the primary has,
 * because the join proves that.
 */
export function formSet(attached: readonly ObservedGroup[]): InSyncSet {
  return { groups: attached.map(formGroup), demoted: {} };
}

/** Marks groups as written; must be called once each group's first epoch is in its primary's data. */
export function beginSet(set: InSyncSet): InSyncSet {
  const begun = set.groups.map((group) => (group.written === 0 ? { ...group, written: group.epoch } : group));
  return { ...set, groups: begun };
}

/** Adds a primary that was added to the Redis Cluster. */
export function addGroup(set: InSyncSet, attached: ObservedGroup): InSyncSet {
  return { ...set, groups: [...set.groups, formGroup(attached)] };
}

function formGroup({ primary, replicas, epoch }: ObservedGroup): ServerGroup {
  return { members: [primary], primary, joining: [...replicas], epoch: epoch + 1, written: 0 };
}

/** The group in which `server` is a member. */
export function groupOf(set: InSyncSet, server: ServerName): ServerGroup | undefined {
  return set.groups.find(({ members }) => members.includes(server));
}

/** Stores `primary`, a member, as the primary of its group. Returns the same set when it already is. */
export function withPrimary(set: InSyncSet, primary: ServerName): InSyncSet {
  return changed(set, primary, (group) => (group.primary === primary ? group : { ...group, primary }));
}

/** The servers that must have everything that is acknowledged while `primary` is the primary. */
export function serversToAwait({ members, joining }: ServerGroup, primary: ServerName): ServerName[] {
  return [...members, ...joining].filter((name) => name !== primary);
}

/** Lets `servers` begin to join the group of `member`. Returns the same set when they are in it already. */
export function beginJoin(set: InSyncSet, member: ServerName, servers: readonly ServerName[]): InSyncSet {
  return changed(set, member, (group) => {
    const invited = servers.filter((name) => !group.members.includes(name) && !group.joining.includes(name));
    if (invited.length === 0) return group;
    return { ...group, joining: [...group.joining, ...invited], epoch: group.epoch + 1 };
  });
}

/**
 * Makes joining servers of `seen` that are still joining members. Must be called only when the epoch of `seen` was in
 * the data of all servers of `seen`.
 */
export function completeJoin(set: InSyncSet, member: ServerName, seen: ServerGroup): InSyncSet {
  return changed(set, member, (group) => {
    // Another process has changed the group since: what was seen does not cover servers that joined later.
    if (group.epoch !== seen.epoch) return group;
    const joined = group.joining.filter((name) => seen.joining.includes(name));
    if (joined.length === 0 && group.written === seen.epoch) return group;
    return {
      ...group,
      members: [...group.members, ...joined],
      joining: group.joining.filter((name) => !joined.includes(name)),
      written: seen.epoch,
    };
  });
}

/**
 * Removes `servers`, which are no longer waited for and may not serve as the primary. No member is removed when fewer
 * than `leave` servers would be left beside `member`, counting joining ones: they are waited for like members, so they
 * have what is acknowledged. A server that is only joining may always be removed.
 */
export function drop(set: InSyncSet, member: ServerName, servers: readonly ServerName[], leave: number): InSyncSet {
  return changed(set, member, (group) => {
    const kept = group.members.filter((name) => name === member || !servers.includes(name));
    const joining = group.joining.filter((name) => !servers.includes(name));
    const members = kept.length - 1 + joining.length >= leave ? kept : group.members;
    if (members.length === group.members.length && joining.length === group.joining.length) return group;
    return { ...group, members, joining };
  });
}

/** Records a server's promotability setting before it was made unpromotable; an earlier record stays. */
export function noteDemoted(set: InSyncSet, server: ServerName, before: string): InSyncSet {
  if (Object.hasOwn(set.demoted, server)) return set;
  return { ...set, demoted: { ...set.demoted, [server]: before } };
}

function changed(set: InSyncSet, member: ServerName, change: (group: ServerGroup) => ServerGroup): InSyncSet {
  const group = groupOf(set, member);
  if (!group) return set;
  const after = change(group);
  return after === group ? set : { ...set, groups: set.groups.map((one) => (one === group ? after : one)) };
}
