import { expect } from 'chai';
import type { Context } from 'mocha';
import type { LimitOverrides } from '#actors/account/limits';
import { eventually } from '../../support/eventually.ts';
import type { ProviderPair } from '../../support/exchange.ts';
import type { ManagementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

export interface LimitedManagement {
  readonly running: RunningManagement;
  readonly operator: ManagementClient;
  /** Opens an account with these limits, which the operator sets; resolves once they are followed. */
  accountWith(limits: LimitOverrides, sandboxLimits?: LimitOverrides): Promise<AccountClients>;
}

export async function startLimitedManagement(test: Context, pair: ProviderPair): Promise<LimitedManagement> {
  const running = await startManagement(test, pair, {});
  const operator = (await running.newUser(running.accountId, 'operator')).api;
  return {
    running,
    operator,
    async accountWith(limits, sandboxLimits = {}) {
      const own = await running.newAccount();
      const answer = await operator.put(`/api/accounts/${own.accountId}`, { limits, sandbox_limits: sandboxLimits });
      expect(answer.status).to.equal(200);
      expect(answer.body.limits.live).to.include(limits);
      await eventually('the limits are followed', () =>
        expect(running.node.replica.get<{ limits?: LimitOverrides }>('account', own.accountId)?.limits).to.deep.equal(
          limits,
        ),
      );
      return own;
    },
  };
}
