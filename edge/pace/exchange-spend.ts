import type { Clock } from '../../runtime/ports/clock.ts';
import type { ExpiringSums } from '../../runtime/ports/expiring-sums.ts';
import type { BidOpportunities } from './chances.ts';
import type { SpendAccount, SumWithExpiry } from './spend-account.ts';

/** Accounts asked for within this many ms are read. */
const ACTIVE_MS = 60_000;

/**
 * Sends to the other edges what was sold and billed here, then reads the sums of all: two round trips, whatever the
 * number of accounts. False when some sums could not be read. Calls must not overlap: what is read must hold all that
 * was sent before.
 */
export async function syncSpend(
  sums: ExpiringSums,
  clock: Clock,
  accounts: readonly SpendAccount[],
  chances: BidOpportunities | null,
): Promise<boolean> {
  const nowMs = clock.now();
  await send(sums, [...accounts.flatMap((account) => account.sums(nowMs)), ...(chances?.sums() ?? [])]);
  for (const account of accounts) account.sent();
  chances?.sent();

  const active = accounts.filter(({ askedAtMs }) => nowMs - askedAtMs <= ACTIVE_MS);
  for (const account of active) account.triedAtMs = nowMs;
  const keys = active.map((account) => account.keys(nowMs));
  const values = await sums.read([...keys.flat(), ...(chances?.keys(nowMs) ?? [])]);
  const readAtMs = clock.now();
  let at = 0;
  for (const [index, account] of active.entries()) {
    const own = keys[index]!;
    account.read(own, values.slice(at, at + own.length), readAtMs);
    at += own.length;
  }
  chances?.learn(values.slice(at), nowMs);
  return !values.includes(null);
}

async function send(sums: ExpiringSums, entries: readonly SumWithExpiry[]): Promise<void> {
  const sending = entries.flatMap(({ sum, expiresAtMs }) => {
    const change = sum.take(expiresAtMs);
    return change === null ? [] : [{ sum, change }];
  });
  if (sending.length === 0) return;
  const arrived = await sums.add(sending.map(({ change }) => change));
  for (const [index, { sum }] of sending.entries()) sum.sent(arrived[index]!);
}
