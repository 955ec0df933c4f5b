import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { ledger } from '../../actors/ledger/ledger.ts';
import { DAY_MS, ledgerId } from '../../actors/ledger/ledger-id.ts';
import type { LedgerState } from '../../actors/ledger/state.ts';
import { nameId } from '../../actors/name/reservation.ts';
import { publisher } from '../../actors/publisher/publisher.ts';
import { actorKinds } from '../../composition/actor-kinds.ts';
import { createProviders } from '../../composition/create-providers.ts';
import { REGIONS } from '../../exchange/region.ts';
import { firstAccountId } from '../../gateways/management/bootstrap/first-account.ts';
import { createNode } from '../../runtime/node/node.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../runtime/providers/system/system-random.ts';
import { readSettings } from '../../settings.ts';
import { createUnlimitedAccount } from '../management/unlimited-account.ts';
import type { Prepare } from '../processes/exchange.ts';

const MINUTE_MS = 60_000;
export const DAYS = 30;
export const DSPS = 50;

/**
 * The ledger of one day of a publisher that 50 DSPs buy from in three regions, every minute, as the reducer leaves it.
 */
function busyDay(dsps: readonly string[]): LedgerState {
  const dayMs = Math.floor(systemClock.now() / DAY_MS) * DAY_MS;
  const id = ledgerId('publisher', 'any', dayMs, false);
  const state = ledger.initial(id);
  const tell = (type: 'totals' | 'facts', body: object, position: string) => {
    const context = { id, address: `ledger/${id}`, nowMs: dayMs, position, random: () => 0 };
    ledger.handle(state, { type, body } as Parameters<typeof ledger.handle>[1], context);
  };
  for (let minute = 0; minute < 24 * 60; minute++) {
    const minuteMs = dayMs + minute * MINUTE_MS;
    const regions = REGIONS.map((region, index) => {
      const rows = dsps.map((dsp, number) => {
        const impressions = 1 + ((minute + number + index) % 40);
        return { id: dsp, impressions, grossNanos: impressions * 2_345_678, feeNanos: impressions * 351_851 };
      });
      const sum = (name: 'impressions' | 'grossNanos' | 'feeNanos') => rows.reduce((all, row) => all + row[name], 0);
      const whole = { impressions: sum('impressions'), grossNanos: sum('grossNanos'), feeNanos: sum('feeNanos') };
      return { region, ...whole, counterparties: rows, creatives: [] };
    });
    tell('totals', { partition: minute % 64, minuteMs, version: `${minuteMs}-0`, regions }, `${minuteMs}-0`);
    for (const region of REGIONS) {
      const counts = { auctions: 1200, imps: 1500, filledImps: 900, 'impressionCalls/billed': 800 };
      const latency = Object.fromEntries(Array.from({ length: 60 }, (_, bin) => [80 + bin, 5 + ((bin + minute) % 30)]));
      const counterparties = dsps.map((dsp) => ({ id: dsp, bids: 700, wins: 20 }));
      tell('facts', { minuteMs, region, counts, counterparties, creatives: [], latency }, `${minuteMs}-1`);
    }
  }
  return state;
}

export interface MonthOfLedgers {
  readonly prepare: Prepare;
  readonly publishers: readonly string[];
  /** Size of one day's document as JSON. */
  readonly bytes: number;
}

/** Makes publishers with a month of full ledgers. */
export function monthOfLedgers(count: number): MonthOfLedgers {
  const publishers = Array.from({ length: count }, () => randomUUID());
  const state = ledger.atRest!.pack(busyDay(Array.from({ length: DSPS }, () => randomUUID())));
  const prepare: Prepare = async (environment) => {
    await createUnlimitedAccount(environment);
    const providers = await createProviders(readSettings(environment), pino({ level: 'silent' }));
    const { store, log } = providers;
    const common = { provider: log, store, clock: systemClock, random: systemRandom, replicates: [] };
    const node = createNode({ ...common, name: 'benchmark', definitions: actorKinds, hostsActors: true });
    try {
      await node.start();
      for (const [number, id] of publishers.entries()) {
        await node.messenger.ask(publisher, id, 'create', {
          accountId: firstAccountId,
          name: `Publisher ${number}`,
          domain: 'news.example',
          type: 'web',
          sandbox: false,
          partnerId: null,
          poolId: null,
          floorCpmMicros: 0,
          contentGenre: null,
          blockedCategories: [],
          blockedDomains: [],
          nameClaim: {
            nameId: nameId(firstAccountId, 'publisher:live', `Publisher ${number}`),
            claim: 'benchmark',
            heldUntilMs: systemClock.now() + 60 * MINUTE_MS,
          },
        });
      }
      await node.stop();
      const nowMs = systemClock.now();
      for (const whose of publishers) {
        for (let day = 0; day < DAYS; day++) {
          const id = ledgerId('publisher', whose, nowMs - day * DAY_MS, false);
          const rest = { outbox: [], received: {}, replies: {}, viewPending: false, deleted: false, published: null };
          const own = { kind: ledger.kind, id, partition: 0, version: 1, writer: 'benchmark', position: '1-0' };
          await store.save([{ ...own, ...rest, schema: ledger.schemaVersion, state }]);
        }
      }
    } finally {
      await providers.close();
    }
  };
  return { prepare, publishers, bytes: Buffer.byteLength(JSON.stringify(state)) };
}
