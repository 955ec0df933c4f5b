import fc from 'fast-check';
import { PROVIDER_PAIRS } from '#test/support/exchange';
import type { ManagementClient } from '../management-client.ts';
import { type RunningManagement, startManagement } from '../running-management.ts';
import { expectAgreement } from './agreement.ts';
import { emptyModel, type Model } from './model.ts';
import { moneyCommands } from './money-commands.ts';
import type { Real } from './real.ts';
import { sharedCommands } from './shared-commands.ts';
import { sourceCommands } from './source-commands.ts';

/** A failure prints it; `MODEL_SEED=<seed>` runs the same sequences again, MODEL_RUNS and MODEL_MS more of them. */
const seed = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Sequences that have not begun by then are left out, except the first. */
const limitMs = Number(process.env.MODEL_MS ?? 8_000);
const numRuns = Number(process.env.MODEL_RUNS ?? 40);

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/model on ${pair}`, () => {
    let running: RunningManagement;
    let operator: ManagementClient;

    before(async function () {
      running = await startManagement(this, pair);
      operator = (await running.newUser(running.accountId, 'operator')).api;
    });
    after(() => running?.close());

    it(`any sequence of calls leaves API, store and catalogue agreeing (MODEL_SEED=${seed})`, async function () {
      // A failure is shrunk, which takes more runs.
      this.timeout(limitMs + 60_000);
      const commands = fc.commands([...sharedCommands(), ...sourceCommands(), ...moneyCommands()], {
        maxCommands: 40,
        size: '+2',
      });
      const endsAtMs = performance.now() + limitMs;
      let begun = 0;
      await fc.assert(
        fc.asyncProperty(commands, async (sequence) => {
          if (begun > 0 && performance.now() > endsAtMs) return;
          begun += 1;
          const real: Real = { ...(await running.newAccount()), running, operator };
          let model: Model = emptyModel();
          await fc.asyncModelRun(() => {
            model = emptyModel();
            return { model, real };
          }, sequence);
          await expectAgreement(model, real);
        }),
        { seed, numRuns },
      );
    });
  });
