import type { Answer, Caller } from './caller.ts';
import { ExchangeError } from './errors.ts';

interface UpdateInit {
  readonly params?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Somebody else may be first so often. */
const ATTEMPTS = 5;

/**
 * Reads a resource, asks `change` what to change of what was read, and changes that, if it is still what was read; else
 * it begins again, five times at most, and then rejects with the 412. Where `change` answers undefined nothing is
 * changed, and what was read is the answer.
 */
export async function readAndChange(
  caller: Pick<Caller, 'call'>,
  path: string,
  init: UpdateInit,
  change: (current: unknown) => unknown,
): Promise<Answer<unknown>> {
  for (let attempt = 1; ; attempt++) {
    const read = await caller.call('GET', path, init);
    const body = await change(read.data);
    if (body === undefined) return read;
    try {
      return await caller.call('PATCH', path, { ...init, body, ...(read.etag !== null && { ifMatch: read.etag }) });
    } catch (error) {
      if (!(error instanceof ExchangeError && error.status === 412) || attempt === ATTEMPTS) throw error;
    }
  }
}
