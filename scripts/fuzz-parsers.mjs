// Fuzzes each reader of test/fuzz/readers.ts with inputs made from its samples, for a limited time, two readers at
// once. No reader may throw, and none may take seconds for one input. An input follows from its number and the seed,
// which are printed with it.
// Usage: node scripts/fuzz-parsers.mjs [--seconds 120] [--only name,…] [--seed number] [--input number] [--build dist]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    only: { type: 'string' },
    seed: { type: 'string' },
    input: { type: 'string' },
    build: { type: 'string', default: 'dist' },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
const build = resolve(values.build, 'test', 'fuzz');
const folder = join('.build', 'fuzz-parsers');

/** Number of threads. */
const POOL = 2;
/** A reader needs a few milliseconds for an input; one that takes this long would block an exchange. */
const STALL_MS = 15_000;
const LOOK_EVERY_MS = 500;

const { READERS } = await import(pathToFileURL(join(build, 'readers.js')).href);
const { mutated, randomOf } = await import(pathToFileURL(join(build, 'mutated.js')).href);
const names = values.only?.split(',') ?? Object.keys(READERS);
const unknown = names.filter((name) => !Object.hasOwn(READERS, name));
if (unknown.length > 0 || !(seconds > 0) || !Number.isSafeInteger(seed)) {
  console.error(
    `Unknown: ${unknown.join(', ') || '--seconds or --seed'}. Readers: ${Object.keys(READERS).join(', ')}.`,
  );
  process.exit(2);
}

/** Fuzzes one reader and resolves with the result; a thread that is stuck on one input is ended. */
function fuzz(name) {
  return new Promise((resolve) => {
    const progress = new SharedArrayBuffer(4);
    const reading = new Int32Array(progress);
    reading[0] = -1;
    const workerData = { name, seed, first: 0, seconds, progress };
    const worker = new Worker(join(build, 'fuzz-parser-process.js'), { workerData });
    let last = -1;
    let sinceMs = performance.now();
    const watch = setInterval(() => {
      const number = Atomics.load(reading, 0);
      if (number !== last) [last, sinceMs] = [number, performance.now()];
      else if (performance.now() - sinceMs > STALL_MS) end({ stalled: true });
    }, LOOK_EVERY_MS);
    const end = (outcome) => {
      clearInterval(watch);
      void worker.terminate();
      if (!outcome.stalled) return resolve({ name, ...outcome });
      const input = mutated(READERS[name].samples, randomOf(seed, last));
      const stack = `one input took more than ${STALL_MS} ms`;
      resolve({ name, inputs: last + 1, characters: 0, failure: { number: last, input, stack } });
    };
    worker.once('message', end);
    worker.once('error', ({ stack }) => {
      const number = Atomics.load(reading, 0);
      const input = number < 0 ? '' : mutated(READERS[name].samples, randomOf(seed, number));
      end({ inputs: number + 1, characters: 0, failure: { number, input, stack } });
    });
  });
}

if (values.input !== undefined) {
  for (const name of names) {
    const input = mutated(READERS[name].samples, randomOf(seed, Number(values.input)));
    console.log(`${name}: ${JSON.stringify(input.slice(0, 1_000))} (${input.length} characters)`);
    await READERS[name].read(input);
  }
  process.exit(0);
}

console.log(`Fuzzing ${names.length} readers for ${seconds} s each, seed ${seed}.`);
const left = [...names];
const failed = [];
const lane = async () => {
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const { inputs, characters, failure } = await fuzz(name);
    console.log(`${name}: ${inputs} inputs, ${(characters / 1e6).toFixed(1)} million characters`);
    if (failure === null) continue;
    failed.push(name);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${name}-${seed}-${failure.number}`);
    writeFileSync(file, failure.input);
    console.error(
      `${failure.stack}\n  again: node scripts/fuzz-parsers.mjs --only ${name} --seed ${seed} --input ${failure.number} (${file})`,
    );
  }
};
await Promise.all(Array.from({ length: POOL }, lane));
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}.`);
process.exit(failed.length > 0 ? 1 : 0);
