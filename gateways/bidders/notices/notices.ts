import { substituteMacros } from '#exchange/openrtb/macros';
import { parseUrl } from '#exchange/parse-url';
import type { Clock } from '#runtime/ports/clock';
import { namesForbiddenAddress } from '../../http/address-guard.ts';
import { DspNotices } from './dsp-notices.ts';
import { MemoryQuota } from './memory-quota.ts';
import { type CountsByKind, type NoticeKind, type NoticeMethod, noCounts } from './notice.ts';
import type { NoticeSettings } from './settings.ts';

/**
 * Sends win, billing and loss notices to bidders, with quotas for each DSP, after the answer of the ad request has
 * left. Best effort, with every queue bounded. A notice waits in memory only, so a crash loses it. No billing depends
 * on notices.
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

  /** Number of notices that wait for another attempt. */
  get retrying(): number {
    let sum = 0;
    for (const dsp of this.#dsps.values()) sum += dsp.retrying;
    return sum;
  }

  /**
   * Queues a notice of a DSP and returns at once; never throws. The macros in `url` are replaced already, save for a
   * billing notice's `${AUCTION_IMP_TS}`, which is now.
   */
  send(
    kind: NoticeKind,
    noticeUrl: string,
    dspId: string,
    method: NoticeMethod = kind === 'loss' ? 'POST' : 'GET',
  ): void {
    const url =
      kind === 'billing' ? substituteMacros(noticeUrl, { impressionMs: String(this.#clock.now()) }) : noticeUrl;
    const parsed = url.length <= this.#settings.maxUrlLength ? parseUrl(url) : null;
    const dsp = parsed === null ? null : this.#dspFor(dspId, kind, parsed);
    if (dsp === null) this.counts[kind].dropped++;
    else dsp.add(parsed!.origin, { kind, method, path: parsed!.pathname + parsed!.search, attempts: 0, dueAtMs: 0 });
  }

  /**
   * Resolves when every queued notice has ended, or after `graceMs`, then closes the connections. Notices that wait for
   * another attempt have it at once, as their last.
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

  /**
   * The queues of a DSP for a URL. Null where the URL leads to an address that is not allowed, or where there is no
   * room for one more host.
   */
  #dspFor(dspId: string, kind: NoticeKind, url: URL): DspNotices | null {
    const known = this.#dsps.get(dspId);
    if (known?.has(url.origin)) return known;
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
    if (!this.#settings.allowPrivateNetworks && namesForbiddenAddress(url)) return null;
    if (known?.hasRoomForHost(kind) === false) return null;
    if (this.#hosts() >= this.#settings.maxHosts && !this.#closeOneIdle()) return null;
    // The idle host may have been the last one of this DSP, which is then no longer known.
    return this.#dsps.get(dspId) ?? this.#addDsp(dspId);
  }

  #addDsp(dspId: string): DspNotices {
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

  /** Number of hosts of all DSPs. Computed only when a host is new. */
  #hosts(): number {
    let sum = 0;
    for (const dsp of this.#dsps.values()) sum += dsp.hosts;
    return sum;
  }

  /** Closes one idle host of the DSP that has the most hosts. */
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
