import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { callJson } from '../support/exchange.ts';
import type { ExchangeUnderTest } from './against-exchange.ts';

/**
 * Opens another account as an operator does, and has its first user make a live key: the one request of the account so
 * far. `fields` are the account's, beside its name. Resolves with the key.
 */
export async function openOtherAccount({ running }: ExchangeUnderTest, fields: object = {}): Promise<string> {
  const post = async (path: string, Cookie: string, body: object) => {
    const answer = await callJson('POST', `${running.baseUrl}${path}`, body, { Cookie });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body;
  };
  const operator = await running.logIn();
  const { id } = await post('/api/accounts', operator, { name: `Account ${randomUUID()}`, ...fields });
  const user = { email: `${randomUUID()}@other.example`, password: randomUUID() };
  await post('/api/users', operator, { ...user, account_id: id });
  const { key } = await post('/api/keys', await running.logIn(user), { name: 'A server', environment: 'live' });
  return key;
}
