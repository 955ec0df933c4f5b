import { TimeLimit } from '../../http/time-limit.ts';
import { FetchFailed } from './failures.ts';

/** A time limit of a fetch: when it has passed, `signal` aborts with a `FetchFailed`. */
export class FetchLimit extends TimeLimit {
  protected override passed(message: string): Error {
    return new FetchFailed(message);
  }
}
