import { parentPort, workerData } from 'node:worker_threads';
import { mutated, randomOf } from './mutated.ts';
import { READERS } from './readers.ts';

/** What one reader is to be given, and where it says how far it is: one number, of the input that it reads. */
export interface Task {
  readonly name: string;
  readonly seed: number;
  readonly first: number;
  readonly seconds: number;
  readonly progress: SharedArrayBuffer;
}

export interface Outcome {
  readonly inputs: number;
  /** Characters read. */
  readonly characters: number;
  /** What went wrong with the last of them; null where all were read. */
  readonly failure: { readonly number: number; readonly input: string; readonly stack: string } | null;
}

/** Reads inputs until the time is over or one fails. The starter of the thread ends it when an input takes too long. */
async function run({ name, seed, first, seconds, progress }: Task): Promise<Outcome> {
  const { samples, read } = READERS[name]!;
  const current = new Int32Array(progress);
  const until = performance.now() + seconds * 1_000;
  let characters = 0;
  let number = first;
  for (; performance.now() < until; number++) {
    Atomics.store(current, 0, number);
    const input = mutated(samples, randomOf(seed, number));
    characters += input.length;
    try {
      const reading = read(input);
      // A turn of the event loop for each of the others would cost more than they do.
      if (reading !== undefined) await reading;
    } catch (error) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { inputs: number - first + 1, characters, failure: { number, input, stack } };
    }
  }
  return { inputs: number - first, characters, failure: null };
}

parentPort?.postMessage(await run(workerData as Task));
