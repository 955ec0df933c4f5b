import { substituteMacros } from '../../../exchange/openrtb/macros.ts';
import type { Clock } from '../../../runtime/ports/clock.ts';
import { namesForbiddenAddress } from '../../http/address-guard.ts';
import { DspNotices } from './dsp-notices.ts';
import { MemoryQuota } from './memory-quota.ts';
import { type CountsByKind, type NoticeKind, type NoticeMethod, noCounts } from './notice.ts';
import type { NoticeSettings } from './settings.ts';

/**
 * Win, billing and loss notices to bidders, with quotas for each DSP: called after the answer has left, never in its way. Best effort, bounded in
 * every direction; a notice waits in memory alone, so what a crash finds there is lost. Nothing is billed by them.
 */
export class Notices {
  readonly counts: CountsByKind = noCounts();
  readonly #settings: NoticeSettings;
  readonly #clock: Clock;
  readonly #memoryQuota: MemoryQuota;
  readonly #dsps = new Map<string, DspNotices>();
  #whenIdle: (() => void) | null = null;

  constructor(settings: NoticeSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.#memoryQuota = new MemoryQuota(settings.maxChars);
  }

  /** Notices that wait for another attempt. */
  get retrying(): number {
    let sum = 0;
    for (const dsp of this.#dsps.values()) sum += dsp.retrying;
    return sum;
  }

  /**
   * Queues a notice of a DSP and returns at once; never throws. `url` has its macros replaced already, save for a billing
   * notice's `${AUCTION_IMP_TS}`, which is now.
   */
  send(
    kind: NoticeKind,
    noticeUrl: string,
    dspId: string,
    method: NoticeMethod = kind === 'loss' ? 'POST' : 'GET',
  ): void {
    const url =
      kind === 'billing' ? substituteMacros(noticeUrl, { impressionMs: String(this.#clock.now()) }) : noticeUrl;
    const parsed = url.length <= this.#settings.maxUrlLength && URL.canParse(url) ? new URL(url) : null;
    const dsp = parsed === null ? null : this.#dspFor(dspId, kind, parsed);
    if (dsp === null) this.counts[kind].dropped++;
    else dsp.add(parsed!.origin, { kind, method, path: parsed!.pathname + parsed!.search, attempts: 0, dueAtMs: 0 });
  }

  /**
   * Resolves when every queued notice has ended, or after `graceMs`, then closes the connections. What waits for another
   * attempt has it at once, as its last.
   */
  async close(graceMs: number): Promise<void> {
    for (const dsp of this.#dsps.values()) dsp.flushRetries();
    if (!this.#isIdle()) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(graceMs, resolve);
        this.#whenIdle = () => {
          cancel();
          resolve();
        };
      });
    }
    await Promise.all(Array.from(this.#dsps.values(), (dsp) => dsp.close()));
    this.#dsps.clear();
  }

  /** Null where the URL leads nowhere we may go, and where there is no room for one more host. */
  #dspFor(dspId: string, kind: NoticeKind, url: URL): DspNotices | null {
    const known = this.#dsps.get(dspId);
    if (known?.has(url.origin)) return known;
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
    if (!this.#settings.allowPrivateNetworks && namesForbiddenAddress(url)) return null;
    if (known?.hasRoomForHost(kind) === false) return null;
    if (this.#hosts() >= this.#settings.maxHosts && !this.#closeOneIdle()) return null;
    if (known !== undefined) return known;
    const dsp = new DspNotices({
      settings: this.#settings,
      clock: this.#clock,
      counts: this.counts,
      memoryQuota: this.#memoryQuota,
      onIdle: () => {
        if (this.#whenIdle !== null && this.#isIdle()) this.#whenIdle();
      },
    });
    this.#dsps.set(dspId, dsp);
    return dsp;
  }

  /** Walked only when a host is new. */
  #hosts(): number {
    let sum = 0;
    for (const dsp of this.#dsps.values()) sum += dsp.hosts;
    return sum;
  }

  /** Of who has most of them. */
  #closeOneIdle(): boolean {
    const dsps = [...this.#dsps].sort(([, one], [, other]) => other.hosts - one.hosts);
    for (const [dspId, dsp] of dsps) {
      if (!dsp.closeOneIdle()) continue;
      if (dsp.hosts === 0) this.#dsps.delete(dspId);
      return true;
    }
    return false;
  }

  #isIdle(): boolean {
    for (const dsp of this.#dsps.values()) if (!dsp.isIdle) return false;
    return true;
  }
}
