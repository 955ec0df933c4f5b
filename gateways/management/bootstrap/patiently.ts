import { ActorTimeout, LogUnavailable } from '../../../runtime/actor/errors.ts';

const attempts = 12;

/**
 * Asks again while nobody answers: a process may start before the one that hosts the actors. Only for what may be asked
 * twice. After a minute or so the last failure is thrown.
 */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const unanswered = error instanceof ActorTimeout || error instanceof LogUnavailable;
      if (!unanswered || attempt === attempts) throw error;
    }
  }
}
