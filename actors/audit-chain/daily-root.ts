import { sha256Of } from '../../runtime/actor/sha256-of.ts';
import { type AuditChain, auditChain } from './audit-chain.ts';

const PAGE = 500;

/** The end of the audit trail of a UTC day: a reader who has noted its root elsewhere can detect each later change. */
export interface DailyAuditRoot {
  readonly day: string;
  readonly chains: number;
  readonly entries: number;
  /** The SHA-256 (hex) over the ids, counts and heads of all chains, in the order of their ids. */
  readonly root: string;
}

/** The part of the store that is read here. */
export interface ChainStore {
  idsBetween(kind: string, range: { after: string; below: string; limit: number }): Promise<string[]>;
  load(
    keys: readonly { kind: string; id: string }[],
  ): Promise<({ readonly id: string; readonly deleted: boolean; readonly state: unknown } | null)[]>;
}

/** The present root of the chains of a UTC day. */
export async function dailyAuditRoot(store: ChainStore, day: string): Promise<DailyAuditRoot> {
  const heads: [string, number, string][] = [];
  for (let after = `${day}.`; ; ) {
    const ids = await store.idsBetween(auditChain.kind, { after, below: `${day}/`, limit: PAGE });
    const documents = await store.load(ids.map((id) => ({ kind: auditChain.kind, id })));
    for (const document of documents) {
      if (document === null || document.deleted) continue;
      const { count, head } = document.state as AuditChain;
      heads.push([document.id, count, head]);
    }
    if (ids.length < PAGE) break;
    after = ids.at(-1)!;
  }
  const entries = heads.reduce((sum, [, count]) => sum + count, 0);
  return { day, chains: heads.length, entries, root: sha256Of(heads) };
}
