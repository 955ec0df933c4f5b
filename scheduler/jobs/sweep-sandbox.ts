import { campaign } from '../../actors/campaign/campaign.ts';
import { dsp } from '../../actors/dsp/dsp.ts';
import { facts } from '../../actors/facts/facts.ts';
import { ledger } from '../../actors/ledger/ledger.ts';
import { DAY_MS, parseLedgerId, utcDay } from '../../actors/ledger/ledger-id.ts';
import { publisher } from '../../actors/publisher/publisher.ts';
import type { FoundDocument, StateStore } from '../../runtime/ports/store.ts';
import { SANDBOX_KEEP_DAYS } from '../aged-kinds.ts';
import type { Job } from '../job.ts';

/** After this many days all messages to a flushed ledger have arrived. */
const SETTLED_DAYS = 2;
/** The sweep looks at this many days; older ledgers were deleted by their age. */
const LOOKED_AT_DAYS = SANDBOX_KEEP_DAYS + 1;
const AT_A_TIME = 500;
const MAX_LEDGERS_PER_DAY = 1_000_000;

type SweptStore = Pick<StateStore, 'load' | 'find' | 'purge'>;

/** Deletes the ledgers of sandboxes that were flushed since: they are never read again (decision 0014). */
export function sweepSandbox({ store }: { readonly store: SweptStore }): Job {
  return {
    name: 'sweep-sandbox',
    purpose: 'Deletes the books of sandboxes that were reset.',
    cron: '10 4 * * *',
    missed: 'newest',
    async run({ dueMs, signal }) {
      let purged = 0;
      for (let back = SETTLED_DAYS; back <= LOOKED_AT_DAYS; back += 1) {
        const where = { filedUnder: `sandbox/${utcDay(dueMs - back * DAY_MS)}` };
        for (const { kind } of [ledger, facts]) {
          const found = await store.find(kind, { where, limit: MAX_LEDGERS_PER_DAY });
          for (let start = 0; start < found.length; start += AT_A_TIME) {
            signal.throwIfAborted();
            const flushed = await flushedOf(store, found.slice(start, start + AT_A_TIME));
            if (flushed.length > 0) purged += await store.purge(kind, flushed);
          }
        }
      }
      return `${purged} ledgers of sandboxes that were reset`;
    },
  };
}

interface Named {
  readonly found: FoundDocument;
  readonly kind: string;
  readonly whose: string;
  readonly generation: number;
}

const KINDS: Readonly<Record<string, string>> = {
  publisher: publisher.kind,
  dsp: dsp.kind,
  campaign: campaign.kind,
};

async function flushedOf(store: SweptStore, found: readonly FoundDocument[]): Promise<FoundDocument[]> {
  const named = found.flatMap((one): Named[] => {
    const { scope, whose, sandboxGeneration } = parseLedgerId(one.id);
    const kind = KINDS[scope];
    // The platform's sandbox books are never flushed.
    if (kind === undefined) return [];
    return [{ found: one, kind, whose, generation: sandboxGeneration }];
  });
  const generations = await generationsOf(store, named);
  return named.filter((one, index) => one.generation < (generations[index] ?? 0)).map((one) => one.found);
}

/**
 * The present generation of each owner; null where it is unknown. A campaign has the generation of its demand source.
 */
async function generationsOf(store: SweptStore, named: readonly Named[]): Promise<(number | null)[]> {
  const owners = await store.load(named.map(({ kind, whose }) => ({ kind, id: whose })));
  const sources = await store.load(
    named.map(({ kind, whose }, index) => {
      const dspId = (owners[index]?.state as { dspId?: string } | null | undefined)?.dspId;
      return kind === campaign.kind ? { kind: dsp.kind, id: dspId ?? '' } : { kind, id: whose };
    }),
  );
  return sources.map(
    (source) => (source?.state as { sandboxGeneration?: number } | null | undefined)?.sandboxGeneration ?? null,
  );
}
