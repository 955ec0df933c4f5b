import { bidderHealth } from '#actors/bidder-health/bidder-health';
import { healthOf } from '#actors/bidder-health/health';
import type { ConnectionProblem } from '#actors/bidder-health/messages';
import { type BidderHealthState, emptyBidderHealth } from '#actors/bidder-health/reduce';
import { dsp } from '#actors/dsp/dsp';
import type { DspState } from '#actors/dsp/reduce';
import { loadBudget } from '../../budget/budget.ts';
import { visibleSourcesWhere } from '../../sources-where.ts';
import { type AttentionCheck, type AttentionItem, MAX_SOURCES_CHECKED } from '../attention-item.ts';

/** The share of a bidder's calls within 5 minutes that may time out. */
const MANY_TIMEOUTS = 0.2;
/** The share of a daily budget from which on it counts as nearly spent. */
const NEARLY_SPENT = 0.9;
/** The largest number of budgets that are checked: each is read with the ledgers of 2 days. */
const BUDGETS_LOOKED_AT = 200;

const NEW_CERTIFICATE = 'The bidder: a valid certificate at its endpoint, with the whole chain.';

const PROBLEMS: Readonly<Record<ConnectionProblem, { readonly words: string; readonly remedy: string }>> = {
  'certificate-expired': { words: 'the certificate of its endpoint has expired', remedy: NEW_CERTIFICATE },
  'certificate-not-yet-valid': {
    words: 'the certificate of its endpoint is not valid yet',
    remedy: `${NEW_CERTIFICATE} Or the clock of the edges is wrong.`,
  },
  'certificate-of-another-host': {
    words: 'the certificate of its endpoint is for another host',
    remedy: 'endpoint_url, by a name that its certificate has.',
  },
  'certificate-untrusted': {
    words: 'the certificate of its endpoint is of no authority that the exchange trusts',
    remedy: `${NEW_CERTIFICATE} For an authority of its own, BIDDER_CA_FILE of the edges.`,
  },
  'client-certificate-refused': {
    words: 'its endpoint refuses the certificate of the exchange, or that it shows none',
    remedy: 'BIDDER_CERTIFICATE_FILE and BIDDER_CERTIFICATE_KEY of the edges, or what its endpoint trusts.',
  },
  'tls-failed': {
    words: 'the TLS handshake with its endpoint fails',
    remedy: 'Its endpoint: TLS 1.2 or 1.3. If it asks for a certificate: BIDDER_CERTIFICATE_FILE of the edges.',
  },
};

/**
 * Finds bidders that cannot be connected to, are paused or answer too late, and budgets of today that are nearly spent.
 */
export const checkDemand: AttentionCheck = async ({ parts, caller, nowMs }) => {
  const { documents } = await parts.store.query(dsp.kind, {
    where: visibleSourcesWhere(caller, caller.sandbox ? 'sandbox' : 'active'),
    orderBy: 'updatedAt',
    descending: true,
    limit: MAX_SOURCES_CHECKED,
  });
  const sources = documents.map(({ id, state }) => ({ id, state: state as DspState }));
  const healths = await parts.store.load(sources.map(({ id }) => ({ kind: bidderHealth.kind, id })));
  const found: AttentionItem[] = [];
  for (const [index, { id, state }] of sources.entries()) {
    if (state.mode !== 'rtb') continue;
    const health = (healths[index]?.state as BidderHealthState | undefined) ?? emptyBidderHealth();
    const { breaker, timeoutRate, connectionProblem } = healthOf(health, state.healthResets, nowMs);
    const subject = { type: 'dsp' as const, id, name: state.name };
    if (connectionProblem !== null) {
      found.push({
        kind: 'bidder-connection',
        severity: 'critical',
        subject,
        since: null,
        message: `${state.name} cannot be asked for bids: ${PROBLEMS[connectionProblem].words}.`,
        remedy: PROBLEMS[connectionProblem].remedy,
      });
    } else if (breaker !== 'closed') {
      found.push({
        kind: 'breaker-open',
        severity: breaker === 'open' ? 'critical' : 'warning',
        subject,
        since: null,
        message: `${state.name} is ${breaker === 'open' ? 'not asked for bids' : 'asked one request at a time'}, since its answers failed.`,
        remedy: 'It is tried again by itself after half a minute. Look at its endpoint; reset it once that is mended.',
      });
    } else if (timeoutRate >= MANY_TIMEOUTS) {
      found.push({
        kind: 'bidder-timeouts',
        severity: 'warning',
        subject,
        since: null,
        message: `${state.name} answered ${Math.round(timeoutRate * 100)} % of its requests of the last five minutes too late.`,
        remedy: `It has ${state.timeoutMs} ms. Look at its latency and its connection.`,
      });
    }
  }
  return [...found, ...(await checkBudgets(parts, sources))];
};

async function checkBudgets(
  parts: Parameters<AttentionCheck>[0]['parts'],
  sources: readonly { readonly id: string; readonly state: DspState }[],
): Promise<AttentionItem[]> {
  const limited = sources.filter(({ state }) => state.dailyBudgetCents > 0).slice(0, BUDGETS_LOOKED_AT);
  const standings = await Promise.all(limited.map(({ id, state }) => loadBudget(parts, id, state)));
  return limited.flatMap(({ id, state }, index) => {
    const { spent_today_cents: spent, daily_budget_cents: daily, resets_at: resetsAt } = standings[index]!;
    if (spent < daily * NEARLY_SPENT) return [];
    return {
      kind: 'budget-nearly-spent' as const,
      severity: spent >= daily ? ('warning' as const) : ('notice' as const),
      subject: { type: 'dsp' as const, id, name: state.name },
      since: null,
      message: `${state.name} has spent ${Math.floor((spent / daily) * 100)} % of its budget of today.`,
      remedy: `It begins anew at ${resetsAt.slice(0, 16).replace('T', ' ')} UTC. Raise the daily budget to sell more to it today.`,
    };
  });
}
