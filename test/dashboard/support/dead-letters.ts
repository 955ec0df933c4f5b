import { randomUUID } from 'node:crypto';
import { ledger } from '#actors/ledger/ledger';
import { DAY_MS, ledgerId } from '#actors/ledger/ledger-id';
import { eventually } from '../../support/eventually.ts';
import { callJson, type TestExchange } from '../../support/exchange.ts';

/** What the API says of a parked message. */
export interface ParkedMessage {
  readonly letter_id: string;
  readonly to: string;
}

/**
 * Sends figures of yesterday to books of today, which refuse them, and resolves with the dead letter; `counterparty` is
 * in the message.
 */
export async function parkMessage(
  { exchange, baseUrl, logIn }: TestExchange,
  counterparty: string = randomUUID(),
): Promise<ParkedMessage> {
  const now = Date.now();
  const id = ledgerId('dsp', randomUUID(), now, false);
  const minuteMs = Math.floor((now - DAY_MS) / 60_000) * 60_000;
  const counterparties = [{ id: counterparty, bids: 3, wins: 1 }];
  const facts = { minuteMs, region: 'fra' as const, counts: { bids: 3 }, counterparties, creatives: [], latency: {} };
  await exchange.node.messenger.tell(ledger, id, 'facts', facts);
  const session = { Cookie: await logIn() };
  return eventually('the message to be parked', async () => {
    const { body } = await callJson('GET', `${baseUrl}/api/dead-letters?state=waiting`, undefined, session);
    return body.letters.find(({ to }: ParkedMessage) => to === `ledger/${id}`);
  });
}
