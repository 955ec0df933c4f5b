import { startChild } from '../processes/child.ts';
import { MEASURED_CORE } from '../processes/cores.ts';
import type { ActorJob } from './measure-process.ts';

/** Takes one measure in a process of its own, on the measured core. */
export async function measured<Result>(job: ActorJob): Promise<Result> {
  const child = startChild<Result>(MEASURED_CORE, 'actors/measure-process.js', job);
  const result = await child.next();
  await child.stop();
  return result;
}
