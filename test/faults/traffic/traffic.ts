import { eventually } from '../../support/eventually.ts';
import type { Deployment } from '../exchange/deployment.ts';
import { Renderer } from '../exchange/renderer.ts';
import { LongestGap } from './longest-gap.ts';
import { SourceChanges } from './source-changes.ts';

const PAUSE_MS = 100;
/** An outage that an operator has to end is ended by the scenario well before. */
const CALL_WITHIN_MS = 180_000;

/** How long a user was without an answer, ms. */
export interface AnswerGaps {
  readonly adsMs: number;
  readonly impressionsMs: number;
  readonly asksMs: number;
}

/** An edge has answered 200 to a tracking URL. */
export interface Acknowledgement {
  readonly edge: string;
  /** By the monotonic clock of this process. */
  readonly atMs: number;
}

/** All who use an exchange while something is done to it: ads are asked for, pixels called, sources changed. */
export class Traffic {
  readonly renderer: Renderer;
  readonly sourceChanges: SourceChanges;
  readonly #ads = new LongestGap();
  readonly #impressions = new LongestGap();
  /** The edges that answered 200 to each tracking URL, with when, in order. */
  readonly acknowledgements = new Map<string, Acknowledgement[]>();
  #rendering: Promise<void> = Promise.resolve();
  readonly #lanes: number;
  #stopped: Promise<void> | null = null;
  #over = false;

  /** `lanes`: auctions that are held at once. */
  constructor(deployment: Deployment, lanes = 4) {
    this.#lanes = lanes;
    const { edgeUrls, publishers, changedSources } = deployment;
    this.renderer = new Renderer(edgeUrls, publishers, {
      callWithinMs: CALL_WITHIN_MS,
      pauseMs: PAUSE_MS,
      answered: (what) => (what === 'ad' ? this.#ads : this.#impressions).onAnswer(),
      acknowledged: (url, edge) => {
        const known = this.acknowledgements.get(url);
        const one = { edge, atMs: performance.now() };
        if (known === undefined) this.acknowledgements.set(url, [one]);
        else known.push(one);
      },
    });
    this.sourceChanges = new SourceChanges((...call) => deployment.call(...call), changedSources);
  }

  get rendered(): number {
    return this.renderer.rendered.size;
  }

  get gaps(): AnswerGaps {
    return {
      adsMs: this.#ads.longestMs,
      impressionsMs: this.#impressions.longestMs,
      asksMs: this.sourceChanges.longestSilenceMs(),
    };
  }

  async start(): Promise<void> {
    for (const silence of [this.#ads, this.#impressions]) silence.reset();
    this.sourceChanges.start();
    this.#rendering = this.renderer.render(this.#lanes, () => this.#over);
    // Looked at in `stop`.
    this.#rendering.catch(() => {});
    await this.waitUntilServed(performance.now());
  }

  /** Resolves when so many more impressions were acknowledged. */
  async waitForImpressions(impressions: number): Promise<void> {
    const goal = this.rendered + impressions;
    await this.#until(`${impressions} more impressions`, () => this.rendered >= goal);
  }

  /**
   * Resolves, with how long after `sinceMs`, when each source, and an ad and a pixel, were answered that were asked
   * after it.
   */
  async waitUntilServed(sinceMs: number): Promise<number> {
    await this.#until('asks to be answered', () => this.sourceChanges.allAnsweredSince(sinceMs));
    await this.#until('ads and pixels to be answered', () =>
      [this.#ads, this.#impressions].every(({ lastMs }) => lastMs > sinceMs),
    );
    return performance.now() - sinceMs;
  }

  /** Resolves when nothing is under way any more, each pixel that was called having been answered. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#over = true;
    await Promise.all([this.#rendering, this.sourceChanges.stop()]);
    await this.renderer.renderAgain(10);
  }

  #until(what: string, holds: () => boolean): Promise<unknown> {
    return eventually(what, holds, { timeoutMs: CALL_WITHIN_MS, everyMs: 20 });
  }
}
