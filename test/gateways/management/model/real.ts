import { expect } from 'chai';
import { eventually } from '#test/support/eventually';
import { type Answer, errorOf, type ManagementClient } from '../management-client.ts';
import type { AccountClients, RunningManagement } from '../running-management.ts';
import type { Eyes, Outcome } from './model.ts';

/** The API as one account meets it. */
export interface Real extends AccountClients {
  readonly running: RunningManagement;
  /** The session of an operator of another account. */
  readonly operator: ManagementClient;
}

export function clientOf({ api, sandboxApi }: Real, { partnerId, sandbox }: Eyes): ManagementClient {
  const client = sandbox ? sandboxApi : api;
  return partnerId === null ? client : client.as({ 'X-User-Partner-ID': partnerId });
}

/**
 * Asks, and demands the outcome that the model says. A name that the model has as free may be taken for a moment still:
 * what gives a name up says so to the name after it has answered; then it is asked again, for nothing was changed.
 */
export async function askFor(what: string, outcome: Outcome, ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await eventually(`a free name, to ${what}`, async () => {
    const given = await ask();
    return outcomeOf(given) === '409 CONFLICT' && outcome !== '409 CONFLICT' ? null : given;
  });
  expect(outcomeOf(answer), `${what}: ${JSON.stringify(answer.body)}`).to.equal(outcome);
  return answer;
}

function outcomeOf(answer: Answer): Outcome {
  return answer.status < 300 ? String(answer.status) : errorOf(answer);
}

/** What `If-Match` says for an expectation; nothing for null. */
export function ifMatch(revision: number, expected: boolean | null): Record<string, string> {
  return expected === null ? {} : { 'If-Match': `"${expected ? revision : revision + 7}"` };
}
