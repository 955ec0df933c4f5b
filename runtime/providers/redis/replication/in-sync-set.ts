/** A server as its primary knows it when it is a replica: `ip:port`. */
export type ServerName = string;

/** One primary and its replicas, whichever of them is the primary at the moment. */
export interface ServerGroup {
  /** These have everything that was ever acknowledged or handed out, and alone may serve as the primary. */
  readonly members: readonly ServerName[];
  /**
   * The member that processes take for the primary. Noted before anything is sent to it, so that the set is a new one after each
   * failover: what was decided at the sight of the primary before, and comes late, is not kept.
   */
  readonly primary: ServerName;
  /** These are waited for like members, and become ones when they have everything too. */
  readonly joining: readonly ServerName[];
  /** Rises when a server begins to join. Kept in the data too, by which processes hear of it that have not read the set anew. */
  readonly epoch: number;
  /**
   * The newest epoch that is in the data of every member: a server with an older one has lost what it had. 0 until the first is in the
   * first member's; until then it is not used.
   */
  readonly written: number;
}

/** The servers of a log: one group for each primary. */
export interface InSyncSet {
  readonly groups: readonly ServerGroup[];
  /** Servers that were made unpromotable when they were dropped, and the setting that they had before. */
  readonly demoted: Readonly<Record<ServerName, string>>;
}

/** What the first look at a primary and its replicas showed. */
export interface ObservedGroup {
  readonly primary: ServerName;
  readonly replicas: readonly ServerName[];
  /** The epoch in its data, 0 where none is: a set that was forgotten leaves its own. */
  readonly epoch: number;
}

/** The first set of a log. Every replica begins by joining, though it has all that the primary has: so it proves that. */
export function formSet(attached: readonly ObservedGroup[]): InSyncSet {
  return { groups: attached.map(formGroup), demoted: {} };
}

/** Once each group's first epoch is in its primary's data. */
export function beginSet(set: InSyncSet): InSyncSet {
  const begun = set.groups.map((group) => (group.written === 0 ? { ...group, written: group.epoch } : group));
  return { ...set, groups: begun };
}

/** With a primary that has been added to the Redis Cluster. */
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

/** With `primary`, a member, noted as the primary of its group. The same set when it is. */
export function withPrimary(set: InSyncSet, primary: ServerName): InSyncSet {
  return changed(set, primary, (group) => (group.primary === primary ? group : { ...group, primary }));
}

/** All that must have what is acknowledged while `primary` is the primary. */
export function serversToAwait({ members, joining }: ServerGroup, primary: ServerName): ServerName[] {
  return [...members, ...joining].filter((name) => name !== primary);
}

/** `servers` begin to join the group of `member`. The same set when they are in it already. */
export function beginJoin(set: InSyncSet, member: ServerName, servers: readonly ServerName[]): InSyncSet {
  return changed(set, member, (group) => {
    const invited = servers.filter((name) => !group.members.includes(name) && !group.joining.includes(name));
    if (invited.length === 0) return group;
    return { ...group, joining: [...group.joining, ...invited], epoch: group.epoch + 1 };
  });
}

/** Those of `joined` that are still joining become members. Only when the epoch of `seen` was in the data of all of `seen`. */
export function completeJoin(set: InSyncSet, member: ServerName, seen: ServerGroup): InSyncSet {
  return changed(set, member, (group) => {
    // Somebody has changed the group since: what was seen does not cover those who came later.
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
 * Without `servers`, which are not waited for any more and may not serve as the primary. No member goes when fewer than `leave` servers
 * would be left beside `member`, joining ones too: these are waited for like members, so they have what is acknowledged. A server that is
 * only joining may always go.
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

/** Notes what a server's promotability was before it was taken away; what was noted first stands. */
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
