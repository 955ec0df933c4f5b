import { Complaints } from '#runtime/actor/complaints';
import type { Logger } from '#runtime/actor/logger';
import type { Clock } from '#runtime/ports/clock';

/** Codes of connections that a caller has closed. */
const HUNG_UP: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE']);

/**
 * Logs answers that could not be sent, for `app.on('error')`. Callers that hang up are no fault of the exchange, and
 * may be as many as they like: they are logged at `debug`, and anything else as a complaint.
 */
export class UnsentAnswers {
  readonly #logger: Logger;
  readonly #complaints: Complaints;

  constructor(deps: { readonly logger: Logger; readonly clock: Clock }) {
    this.#logger = deps.logger;
    this.#complaints = new Complaints(deps);
  }

  note(err: unknown): void {
    const code = (err as NodeJS.ErrnoException | null)?.code;
    if (HUNG_UP.has(code)) this.#logger.debug({ code }, 'a caller hung up before its answer');
    else this.#complaints.warn({ err }, 'an answer could not be sent');
  }

  close(): void {
    this.#complaints.close();
  }
}
