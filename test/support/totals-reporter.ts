import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** Mocha's `spec` output; beside it the totals of the run, as one line in the file that `--reporter-option totals=` names. */
export default class TotalsReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const file: unknown = options.reporterOptions?.totals;
    if (typeof file !== 'string') throw new Error('--reporter-option totals=<file> is missing');
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      writeFileSync(file, `${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}\n`);
    });
  }
}
