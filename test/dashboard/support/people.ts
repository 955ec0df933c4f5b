import { expect } from 'chai';
import { callJson, type TestExchange } from '../../support/exchange.ts';

export interface Person {
  readonly email: string;
  readonly password: string;
}

export interface Invited {
  readonly email: string;
  readonly role: 'source' | 'member' | 'operator';
  /** Of the role `source`: whose people they are. */
  readonly source?: { readonly type: 'publisher' | 'dsp'; readonly id: string };
}

/** Invites a user as the first user, and resolves with what stands behind the # of the link. */
export async function invite(exchange: TestExchange, invited: Invited): Promise<string> {
  const headers = { Cookie: await exchange.logIn() };
  const { status, body } = await callJson('POST', `${exchange.baseUrl}/api/invitations`, invited, headers);
  expect(status, JSON.stringify(body)).to.equal(201);
  return new URL(body.url).hash.slice(1);
}

/** A user of this role, who has accepted an invitation. */
export async function newPerson(exchange: TestExchange, invited: Invited): Promise<Person> {
  const token = await invite(exchange, invited);
  const password = `the password of ${invited.email}`;
  const { status, body } = await callJson('POST', `${exchange.baseUrl}/api/invitations/accept`, { token, password });
  expect(status, JSON.stringify(body)).to.equal(201);
  return { email: invited.email, password };
}
