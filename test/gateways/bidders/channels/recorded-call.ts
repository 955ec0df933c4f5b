import type { ConnectionProblem } from '#actors/bidder-health/messages';
import type { ChannelCall, ContentCoding } from '#gateways/bidders/channels/channel';

/** How a call ended, once; `status` is 0 where no head came. */
export interface CallEnd {
  readonly how: 'complete' | 'failed' | 'dropped' | 'unwanted';
  readonly status: number;
  readonly coding: ContentCoding;
  readonly body: string;
}

/** A call that keeps what its channel reports, copied where the contract says so. */
export class RecordedCall implements ChannelCall {
  readonly ended: Promise<CallEnd>;
  /** Ends that were reported; more than one breaks the contract. */
  ends = 0;
  givenUp = false;
  /** Why there was no connection over TLS. */
  problem: ConnectionProblem | null = null;
  maxBytes = Number.POSITIVE_INFINITY;
  onSending: () => void = () => undefined;
  #end!: (end: CallEnd) => void;
  #status = 0;
  #coding: ContentCoding = 'identity';
  #body = '';

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  sending(): boolean {
    this.onSending();
    return !this.givenUp;
  }

  head(status: number, coding: ContentCoding): void {
    this.#status = status;
    this.#coding = coding;
  }

  body(bytes: Buffer, start: number, end: number): boolean {
    this.#body += bytes.toString('latin1', start, end);
    if (this.#body.length <= this.maxBytes) return true;
    this.#report('unwanted');
    return false;
  }

  complete(): void {
    this.#report('complete');
  }

  failed(_message: string, problem: ConnectionProblem | null = null): void {
    this.problem = problem;
    this.#report('failed');
  }

  dropped(): void {
    this.#report('dropped');
  }

  #report(how: CallEnd['how']): void {
    this.ends++;
    this.#end({ how, status: this.#status, coding: this.#coding, body: this.#body });
  }
}
