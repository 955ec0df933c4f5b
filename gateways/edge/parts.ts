import type { Middleware } from 'koa';
import type { Replica } from '../../runtime/actor/replica.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { Random } from '../../runtime/ports/random.ts';
import type { Notices } from '../bidders/notices/notices.ts';
import type { Facts } from './facts.ts';
import type { EdgeSettings } from './settings.ts';

/** The part of a pino logger that this gateway uses. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What callers report back: `GET /track/impression` and `GET /track/win`. */
export interface TrackingEndpoints {
  readonly impression: Middleware;
  readonly win: Middleware;
}

/** What an edge stands on. Nothing of it is waited for in an auction: the replica is memory, facts and notices are queued. */
export interface EdgeParts {
  /** Of publishers, pools, DSPs and API keys. */
  readonly replica: Replica;
  readonly facts: Facts;
  readonly notices: Notices;
  readonly tracking: TrackingEndpoints;
  readonly settings: EdgeSettings;
  readonly logger: Logger;
  readonly random: Random;
  readonly clock: Clock;
}
