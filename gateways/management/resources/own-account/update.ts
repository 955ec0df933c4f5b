import { ApiError } from '#gateways/errors';
import { type Caller, isOperator } from '../../identity/caller.ts';
import { defineRoute } from '../../routing/route.ts';
import { AccountWithUsage } from '../accounts/account.ts';
import { AccountChanges, changeAccount } from '../accounts/change-account.ts';

export const updateOwnAccount = defineRoute({
  method: 'PUT',
  partial: true,
  path: '/api/account',
  tag: 'Account',
  operationId: 'updateOwnAccount',
  summary: "Change the fields given of the caller's account",
  description:
    '`tier`, `requests_per_minute`, `limits` and `sandbox_limits` are for operators: anybody else who sends them is refused. A new rate counts from the next request on. An account is changed as a whole and live, so neither from the sandbox nor for one partner.',
  access: 'account',
  reach: { refused: ['sandbox', 'partner'] },
  revised: true,
  body: AccountChanges,
  examples: { body: { name: 'Example Publishing' } },
  answer: { status: 200, schema: AccountWithUsage },
  async handle({ caller, body, ...call }) {
    assertMayChangeOwnAccount(caller, body);
    return changeAccount(call, caller.accountId, body);
  },
});

function assertMayChangeOwnAccount(
  caller: Caller,
  { tier, requests_per_minute: rate, limits, sandbox_limits: ofSandbox }: AccountChanges,
): void {
  if (caller.sandbox) throw new ApiError('FORBIDDEN', 'Nothing changes the account from the sandbox.');
  if (caller.partnerId !== null) throw new ApiError('FORBIDDEN', 'A partner does not change the account.');
  const isOperators = [tier, rate, limits, ofSandbox].some((given) => given !== undefined);
  if (isOperators && !isOperator(caller)) {
    throw new ApiError('FORBIDDEN', 'Only operators change the tier, the rate and the limits of an account.');
  }
}
