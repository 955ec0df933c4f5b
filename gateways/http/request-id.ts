import type { IncomingMessage } from 'node:http';
import type { Random } from '../../runtime/ports/random.ts';

const saneForm = /^[A-Za-z0-9._:/+=-]{1,128}$/;

/** The caller's `X-Request-Id` when it is harmless in a log line, otherwise a new id. Every response carries it. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>, random: Random): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && saneForm.test(given) ? given : random.id();
}
