import type { Clock } from '../../runtime/ports/clock.ts';
import type { ExpiringSums } from '../../runtime/ports/expiring-sums.ts';
import type { BidOpportunities } from './chances.ts';
import type { SpendAccount, SumWithExpiry } from './spend-account.ts';

/**
 * Sends what was billed here to the shared sums, then reads those of `read`: two round trips, whatever the number of
 * accounts. False when some sums could not be read. Calls must not overlap: what is read must hold all that was sent
 * before.
 */
export async function syncSpend(
  sums: ExpiringSums,
  clock: Clock,
  { changed, read }: { readonly changed: readonly SpendAccount[]; readonly read: readonly SpendAccount[] },
  chances: BidOpportunities | null,
): Promise<boolean> {
  const nowMs = clock.now();
  await send(sums, [...changed.flatMap((account) => account.sums(nowMs)), ...(chances?.sums() ?? [])]);
  for (const account of changed) account.sent();
  chances?.sent();

  for (const account of read) account.triedAtMs = nowMs;
  const keys = read.map((account) => account.key(nowMs));
  const wanted = [...keys, ...(chances?.keys(nowMs) ?? [])];
  if (wanted.length === 0) return true;
  const values = await sums.read(wanted);
  const readAtMs = clock.now();
  for (const [index, account] of read.entries()) account.read(keys[index]!, values[index]!, readAtMs);
  chances?.learn(values.slice(keys.length), nowMs);
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
