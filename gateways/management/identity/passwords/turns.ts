import { Overloaded } from '../../../../runtime/actor/errors.ts';

/** Runs one after the other what takes much of the machine, so many at once; the rest wait, so many at most. */
export function turns(bounds: { readonly atOnce: number; readonly waiting: number }) {
  const queue: (() => void)[] = [];
  let running = 0;

  /** @throws Overloaded when too many wait already */
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < bounds.atOnce) running++;
    else {
      if (queue.length >= bounds.waiting) throw new Overloaded('too many passwords are being hashed');
      // Whoever ends hands its turn over, so `running` stays as it is.
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running--;
    }
  };
}
