import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type AuditChain, auditChain } from '#actors/audit-chain/audit-chain';
import { chainIdOf } from '#actors/audit-chain/chain-link';
import { dailyAuditRoot } from '#actors/audit-chain/daily-root';
import { type AuditEntry, type AuditEntryContent, auditEntry } from '#actors/audit-entry/audit-entry';
import { entryId } from '#actors/audit-entry/entry-id';
import { DAY_MS, utcDay } from '#actors/ledger/ledger-id';
import { LEDGER_WATERMARK_ID, watermark } from '#actors/watermark/watermark';
import type { Effects } from '#runtime/actor/define-actor';
import type { ActorDocument } from '#runtime/ports/store';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { checkTrail } from '#scheduler/audit/check-trail';
import { type Ended, exchangeCommand } from '../../support/exchange-command.ts';

const PARTITIONS = 2;
const NOW_MS = Date.now();
const YESTERDAY_MS = Date.parse(`${utcDay(NOW_MS - DAY_MS)}T10:00:00Z`);
const DAY = utcDay(YESTERDAY_MS);

/** The documents of a trail, by `kind/id`, as its actors write them. */
type Trail = Map<string, { version: number; state: unknown }>;
type Spoil = (trail: Trail, keys: readonly string[]) => void;

const keyOf = (atMs: number) => entryId(`${atMs}-0`, 'publisher/p');

function told(atMs: number, accountId: string, fee: number): AuditEntryContent {
  const by = { requestId: 'r', actor: 'user/u', accountId, address: '192.0.2.0/24', route: 'PUT /api/fees/:source_id' };
  const fees = { before: { feePpm: fee - 1 }, after: { feePpm: fee } };
  return { key: keyOf(atMs), atMs, by, action: 'set-fee', resource: 'publisher/p', ...fees };
}

function add(trail: Trail, entry: AuditEntryContent): void {
  const write = (
    { kind, initial, handle }: typeof auditChain | typeof auditEntry,
    id: string,
    type: string,
    body: unknown,
  ) => {
    const before = trail.get(`${kind}/${id}`);
    const context = { id, address: `${kind}/${id}`, nowMs: entry.atMs, position: `${entry.atMs}-0`, random: () => 0 };
    // biome-ignore lint/suspicious/noExplicitAny: both kinds are written alike
    const effects = (handle as any)(before?.state ?? initial(id), { type, body }, context) as Effects<unknown>;
    if (effects.state !== undefined) {
      trail.set(`${kind}/${id}`, { version: (before?.version ?? 0) + 1, state: effects.state });
    }
    return effects.sends ?? [];
  };
  const sends = write(auditChain, chainIdOf(entry), 'add', entry);
  for (const { to, type, body } of sends) write(auditEntry, to.slice(to.indexOf('/') + 1), type, body);
}

/** Five entries of one account and one of another, of yesterday, and one of today. */
function sound(): Trail {
  const trail: Trail = new Map();
  for (let minute = 0; minute < 5; minute++) add(trail, told(YESTERDAY_MS + minute, 'a', minute));
  add(trail, told(YESTERDAY_MS + 5, 'b', 7));
  add(trail, told(NOW_MS, 'a', 8));
  return trail;
}

const KEYS = [0, 1, 2, 3, 4].map((minute) => keyOf(YESTERDAY_MS + minute));
const entryOf = (trail: Trail, key: string) => trail.get(`audit-entry/${key}`)!.state as AuditEntry;

describe('scheduler/audit: the audit trail', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audit-trail-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function openWith(trail: Trail): Promise<Embedded> {
    const embedded = await openEmbedded({ folder, partitions: PARTITIONS, clock: systemClock });
    const kinds = [auditChain, auditEntry, watermark];
    await embedded.store.prepare(kinds.map(({ kind, indexes }) => ({ kind, indexes: indexes ?? [] })));
    const document = (kind: string, id: string, state: unknown): ActorDocument => ({
      ...{ kind, id, partition: 0, version: 1, writer: 'test', position: '1-0', schema: 1, deleted: false, state },
      ...{ outbox: [], viewPending: false, received: {}, replies: {}, published: null },
    });
    const documents = [...trail].map(([address, { state }]) => {
      const slash = address.indexOf('/');
      return document(address.slice(0, slash), address.slice(slash + 1), state);
    });
    const books = {
      ...document(watermark.kind, LEDGER_WATERMARK_ID, { throughMs: NOW_MS }),
      schema: watermark.schemaVersion,
    };
    await embedded.store.save([...documents, books]);
    return embedded;
  }

  async function audited(spoil: Spoil): Promise<Ended> {
    const trail = sound();
    spoil(trail, KEYS);
    await (await openWith(trail)).close();
    return exchangeCommand({ DATA_DIR: folder, PARTITIONS: String(PARTITIONS) }, 'audit');
  }

  it('is whole where it was not altered: npm run audit ends with 0', async () => {
    const { code, stdout } = await audited(() => {});
    expect(stdout).to.include('The audit trail is whole: 7 entries in 3 chains.');
    expect(code).to.equal(0);
  });

  const cases: readonly (readonly [title: string, spoil: Spoil, named: RegExp])[] = [
    [
      'finds an entry that was altered and names it: npm run audit ends with 1',
      (trail, [, key]) => Object.assign(entryOf(trail, key!).after, { feePpm: 0 }),
      new RegExp(`audit entries are unaltered +${KEYS[1]} `),
    ],
    [
      'finds an entry that was removed and names its place: npm run audit ends with 1',
      (trail, [, , key]) => trail.delete(`audit-entry/${key}`),
      new RegExp(`no audit entry is removed +${DAY}.a +entry 2 +none after ${KEYS[1]}`),
    ],
    [
      'finds that the last entry was removed: npm run audit ends with 1',
      (trail, [, , , , key]) => trail.delete(`audit-entry/${key}`),
      new RegExp(`no audit entry is removed +${DAY}.a +entry 4 +none after ${KEYS[3]}`),
    ],
    [
      'finds an entry that was inserted and names it: npm run audit ends with 1',
      (trail, [, key]) => {
        const forged = new Map<string, { version: number; state: unknown }>();
        add(forged, told(YESTERDAY_MS + 100, 'a', 3));
        const state = forged.get(`audit-entry/${keyOf(YESTERDAY_MS + 100)}`)!.state as AuditEntry;
        trail.set(`audit-entry/${state.key}`, { version: 1, state });
        expect(key).not.to.equal(state.key);
      },
      new RegExp(`no audit entry is inserted +${keyOf(YESTERDAY_MS + 100)} `),
    ],
    [
      'finds two entries that have changed places and names both: npm run audit ends with 1',
      (trail, [, one, other]) => {
        const [a, b] = [entryOf(trail, one!), entryOf(trail, other!)];
        [a.links, b.links] = [b.links, a.links];
      },
      new RegExp(`unaltered +${KEYS[1]} [\\s\\S]*unaltered +${KEYS[2]} `),
    ],
    [
      'finds a chain that was cut short and its entries removed, by its head: npm run audit ends with 1',
      (trail, [, , , , key]) => {
        trail.delete(`audit-entry/${key}`);
        (trail.get(`audit-chain/${DAY}.a`)!.state as AuditChain).count = 4;
      },
      new RegExp(`audit chains end in their heads +${DAY}.a, ${KEYS[3]} `),
    ],
  ];
  for (const [title, spoil, named] of cases) {
    it(title, async () => {
      const { code, stdout } = await audited(spoil);
      expect(stdout).to.match(named);
      expect(stdout).to.match(/The audit trail is not whole: \d+ differences in \d+ entries/);
      expect(code).to.equal(1);
    });
  }

  it('is whole with an entry that its chain received twice, and shows it once', async () => {
    const trail = sound();
    add(trail, told(YESTERDAY_MS + 1, 'a', 1));
    expect(entryOf(trail, KEYS[1]!).links).to.have.lengthOf(2);
    const embedded = await openWith(trail);
    const checked = await checkTrail(embedded.store, { fromMs: 0, toMs: NOW_MS + DAY_MS }, NOW_MS);
    await embedded.close();
    expect(checked).to.deep.equal({ entries: 7, chains: 3, differences: [] });
  });

  it('has another root of the day where the whole chain was written anew, which no store can tell by itself', async () => {
    const open = async (trail: Trail) => {
      const embedded = await openWith(trail);
      const checked = await checkTrail(embedded.store, { fromMs: 0, toMs: NOW_MS + DAY_MS }, NOW_MS);
      const heads = await dailyAuditRoot(embedded.store, DAY);
      await embedded.close();
      await rm(folder, { recursive: true });
      return { ...heads, differences: checked.differences };
    };
    const noted = await open(sound());
    expect(noted).to.include({ day: DAY, chains: 2, entries: 6 });
    const forged: Trail = new Map();
    for (let minute = 0; minute < 5; minute++) add(forged, told(YESTERDAY_MS + minute, 'a', minute === 3 ? 0 : minute));
    add(forged, told(YESTERDAY_MS + 5, 'b', 7));
    const found = await open(forged);
    expect(found).to.deep.include({ entries: 6, differences: [] });
    expect(found.root).not.to.equal(noted.root);
    expect((await open(sound())).root).to.equal(noted.root);
    folder = await mkdtemp(join(tmpdir(), 'audit-trail-'));
  });
});
