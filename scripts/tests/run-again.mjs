import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runGroup } from './run-group.mjs';

/** More files than these have another cause than a busy machine. */
const MOST_FILES = 6;

/**
 * Tests that wait for processes share a machine with other groups, and one of thousands may be answered too late. Where a few files
 * failed they are run once more, one after another and beside nothing else, and what comes of that counts. Each is named, so that a
 * test that passes only by itself is seen and mended.
 *
 * Takes and answers outcomes of `runGroup`; the files of results in `folder` are brought up to date too.
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

/** None where the group ended in another way than by its tests: then nobody knows what else did not run. */
function failedFiles({ results, code }) {
  if (results === undefined || code === 0) return [];
  const known = results.failures.every(({ file }) => file.startsWith(join('test', '')));
  return results.failed > 0 && known ? [...new Set(results.failures.map(({ file }) => file))] : [];
}

/** The outcome of a group with what came of one of its files later. */
function withFile(outcome, file, again) {
  const { results } = outcome;
  const failures = results.failures.filter((failure) => failure.file !== file);
  const source = basename(file).replace(/\.js$/, '.ts');
  const merged = {
    ...results,
    // A hook that fails takes the tests after it along, so what passed is counted anew and not moved from one sum to the other.
    passed: results.passed - (results.files[file]?.passed ?? 0) + again.passed,
    failed: failures.length,
    skipped: results.skipped - (results.files[file]?.skipped ?? 0) + again.skipped,
    failures,
    rows: [...results.rows.filter((row) => row.file !== source), ...again.rows],
  };
  return { ...outcome, results: merged, code: failures.length === 0 ? 0 : outcome.code };
}
