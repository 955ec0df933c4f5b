import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runGroup } from './run-group.mjs';

/** When more files fail, the cause is not a busy machine. */
const MOST_FILES = 12;

/**
 * Tests that wait for processes share a machine with other groups, so one of thousands may get its answer too late.
 * When only a few files failed, they are run once more, one after another and with nothing else, and the second result
 * counts. Each is named, so that a test that passes only by itself is noticed and fixed.
 *
 * Takes and answers outcomes of `runGroup`; the result files in `folder` are updated as well.
 */
export async function runAgain(outcomes, folder, run = runGroup) {
  const failed = outcomes.flatMap((outcome) => failedFiles(outcome).map((file) => ({ outcome, file })));
  if (failed.length === 0 || failed.length > MOST_FILES) return outcomes;
  console.log('\n── Failed files once more, each by itself');
  const judged = new Map(outcomes.map((outcome) => [outcome, outcome]));
  for (const { outcome, file } of failed) {
    const again = await run({ name: `again-${basename(file, '.test.js')}` }, [join('dist', file)], folder);
    const passes = again.code === 0 && again.results !== undefined;
    console.log(`${passes ? '✔ passed by itself' : '✘ failed again'}  ${file} (${again.seconds} s)`);
    if (!passes) process.stdout.write(again.output);
    if (passes) judged.set(outcome, withFile(judged.get(outcome), file, again.results));
  }
  for (const { group, results } of judged.values()) {
    if (results !== undefined) writeFileSync(join(folder, `${group.name}.json`), JSON.stringify(results));
  }
  return [...judged.values()];
}

/** The failed files of a group; none when the group did not end by its tests, since other files may not have run. */
function failedFiles({ results, code }) {
  if (results === undefined || code === 0) return [];
  const known = results.failures.every(({ file }) => file.startsWith(join('test', '')));
  return results.failed > 0 && known ? [...new Set(results.failures.map(({ file }) => file))] : [];
}

/** The outcome of a group with the second result of one of its files. */
function withFile(outcome, file, again) {
  const { results } = outcome;
  const failures = results.failures.filter((failure) => failure.file !== file);
  const source = basename(file).replace(/\.js$/, '.ts');
  const merged = {
    ...results,
    // A failed hook skips the tests after it, so the passed tests are counted again instead of moved between sums.
    passed: results.passed - (results.files[file]?.passed ?? 0) + again.passed,
    failed: failures.length,
    skipped: results.skipped - (results.files[file]?.skipped ?? 0) + again.skipped,
    failures,
    rows: [...results.rows.filter((row) => row.file !== source), ...again.rows],
  };
  return { ...outcome, results: merged, code: failures.length === 0 ? 0 : outcome.code };
}
