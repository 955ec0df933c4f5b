import { existsSync } from 'node:fs';
import { pino } from 'pino';
import { ledger } from '../../actors/ledger/ledger.ts';
import { reportWindowOfMonth } from '../../actors/ledger/report/month.ts';
import { readAtWatermark } from '../../actors/watermark/read-watermark.ts';
import { actorKinds } from '../../composition/actor-kinds.ts';
import { createProviders, type Providers } from '../../composition/create-providers.ts';
import { type Region, readRegions } from '../../edge/regions/read-regions.ts';
import { type BarrierResult, passBarrier } from '../../runtime/node/log-barrier.ts';
import { withUpgradedStates } from '../../runtime/node/with-upgraded-states.ts';
import type { StateReads, StateStore } from '../../runtime/ports/store.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { type Audit, auditBooks } from '../../scheduler/audit/audit-books.ts';
import { type CheckedTrail, checkTrail } from '../../scheduler/audit/check-trail.ts';
import { printAudit, printTrail } from '../../scheduler/audit/print-audit.ts';
import { readWatermark } from '../../scheduler/watermark/read-watermark.ts';
import { InvalidSettings, readSettings } from '../../settings.ts';
import { EXIT, type Run } from '../definition.ts';
import { inLines } from '../terminal.ts';
import { readWhenStill } from './read-when-still.ts';

/** The audit waits this long for the ledgers to be complete; after that it covers them up to their watermark. */
const BARRIER_WITHIN_MS = 15_000;
/** The same limit for an embedded log, which no other process can process during the audit. */
const EMBEDDED_BARRIER_WITHIN_MS = 2_000;
/** Why the books were not checked up to the present. */
const REASONS = {
  behind:
    'the log holds what is not in the books yet. An exchange on the embedded providers that was killed has it there when it has run again',
  trading: 'the exchange went on while they were read, in each attempt. Audit them when it is stopped, or later',
};
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

export const run: Run<{ month?: string }> = async ({ options: { month } }) => {
  const audit = await auditOf(month);
  const { tooLate } = audit;
  const differences = audit.differences.length + audit.trail.differences.length;
  return {
    json: audit,
    text: inLines(
      [
        printAudit(audit),
        audit.unchecked === null ? '' : uncheckedLine(audit.unchecked),
        printTrail(audit.trail),
        ...(tooLate ?? []).map(tooLateLine),
      ].join(''),
    ),
    exitCode: differences > 0 ? EXIT.refused : EXIT.done,
  };
};

function tooLateLine({ name, too_late: { impressions, gross_nanos } }: Region): string {
  return `Not in the books, as it came too late of the region ${name}: ${impressions} impressions, ${gross_nanos} nano-dollars.\n`;
}

function uncheckedLine({ fromMs, reason }: Unchecked): string {
  return `Not checked: the books from ${new Date(fromMs).toISOString()} on, as ${REASONS[reason]}.\n`;
}

interface Unchecked {
  /** The beginning of the first hour of which nothing was checked, ms since the epoch. */
  readonly fromMs: number;
  readonly reason: keyof typeof REASONS;
}

interface WholeAudit extends Audit {
  /** The part of the audited time that was not checked; null when all of it was. */
  readonly unchecked: Unchecked | null;
  readonly trail: CheckedTrail;
  /** The regions of which something came too late to be billed; absent where nothing did. */
  readonly tooLate?: readonly Region[];
}

async function auditOf(month: string | undefined): Promise<WholeAudit> {
  const window = month === undefined ? null : reportWindowOfMonth(month);
  if (month !== undefined && window === null) throw new InvalidSettings('--month is written YYYY-MM');
  const settings = readSettings(process.env);
  if (settings.mongodbUrl === null && !existsSync(settings.dataDir))
    throw new Error(`${settings.dataDir} (DATA_DIR) is not there`);
  const providers = await createProviders(settings, pino({ level: 'silent' })).catch((error: Error) => {
    if (settings.mongodbUrl !== null && settings.redisUrl !== null) throw error;
    throw new Error(
      `${error.message} (an exchange on the embedded providers is audited when it is stopped, or while it runs by its job: POST /api/jobs/audit/run)`,
    );
  });
  try {
    const store = withUpgradedStates(providers.store, actorKinds);
    if (await isEmpty(store)) throw new Error('no exchange has kept books in this store');
    const fromMs = window?.fromMs ?? 0;
    const { log, relayed } = providers.log;
    const partitions = Array.from({ length: log.partitions }, (_, partition) => partition);
    const regions = await readRegions({ relayed, partitions });
    // Both reads see everything that the barrier has passed, or that the watermark covers, whichever server answers.
    const upTo = async (toMs: number, reads: StateReads) => {
      if (toMs <= fromMs) throw new Error(`none of the books of ${month} are complete yet`);
      const span = { fromMs, toMs: Math.min(toMs, window?.toMs ?? toMs) };
      const late = regions.filter(({ too_late }) => too_late.impressions > 0);
      return {
        ...(await auditBooks(reads, span)),
        trail: await checkTrail(reads, span, systemClock.now()),
        ...(late.length > 0 && { tooLate: late }),
      };
    };
    const withinMs = settings.redisUrl === null ? EMBEDDED_BARRIER_WITHIN_MS : BARRIER_WITHIN_MS;
    const { read, passed } = await readWhenStill(
      { barrier: () => barrier(providers, withinMs), clock: systemClock },
      ({ throughMs, token }) => upTo(Math.ceil((throughMs + 1) / DAY_MS) * DAY_MS, store.after(token)),
    );
    if (read !== null) return { ...read, unchecked: null };
    const { throughMs, store: reads } =
      passed === null
        ? await readAtWatermark(store)
        : { throughMs: passed.throughMs, store: store.after(passed.token) };
    const uncheckedFromMs = Math.floor(throughMs / HOUR_MS) * HOUR_MS;
    const isAllChecked = window !== null && window.toMs <= uncheckedFromMs;
    return {
      ...(await upTo(uncheckedFromMs, reads)),
      unchecked: isAllChecked
        ? null
        : { fromMs: uncheckedFromMs, reason: passed === null ? ('behind' as const) : ('trading' as const) },
    };
  } finally {
    await providers.close();
  }
}

/**
 * Whether the store has no ledgers. An empty store would balance, which would mislead an operator who named the wrong
 * folder or database.
 */
async function isEmpty(store: Pick<StateStore, 'load' | 'scan'>): Promise<boolean> {
  for await (const _ of store.scan(ledger.kind)) return false;
  return (await readWatermark({ store })) === 0;
}

/** Waits until the ledgers contain everything that the log holds; null when no process brings it there in time. */
async function barrier({ log: { log, leases } }: Providers, withinMs: number): Promise<BarrierResult | null> {
  const signal = AbortSignal.timeout(withinMs);
  return passBarrier({ log, leases, clock: systemClock, signal }).catch((error) => {
    if (signal.aborted) return null;
    throw error;
  });
}
