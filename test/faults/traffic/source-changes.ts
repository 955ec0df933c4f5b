import { setTimeout as pause } from 'node:timers/promises';
import { LongestGap } from './longest-gap.ts';

type Call = (
  method: string,
  path: string,
  body?: object,
  withinMs?: number,
) => Promise<{ readonly status: number; readonly body: { readonly floor_price_cpm: number } }>;

const PAUSE_MS = 300;
/** The API itself gives up before; asking anew sooner would only add to what is under way. */
const ANSWER_WITHIN_MS = 8_000;
const CENTS = 100;

/** One source whose floor is set to one number after the other. */
class SourceLane {
  readonly id: string;
  readonly silence = new LongestGap();
  /** The floor that was asked for last, in cents, and the last of which the answer was 200. */
  asked = 0;
  acknowledged = 0;
  answers = 0;
  /** When the newest ask was begun that has been answered. */
  answeredBeganMs = 0;

  constructor(id: string) {
    this.id = id;
  }
}

/** Changes sources through the management API, each in a lane of its own, and knows which changes were acknowledged. */
export class SourceChanges {
  readonly #call: Call;
  readonly #lanes: readonly SourceLane[];
  #going: Promise<unknown> = Promise.resolve();
  #over = false;

  constructor(call: Call, sources: readonly string[]) {
    this.#call = call;
    this.#lanes = sources.map((id) => new SourceLane(id));
  }

  get answered(): number {
    return this.#lanes.reduce((sum, { answers }) => sum + answers, 0);
  }

  start(): void {
    this.reset();
    this.#going = Promise.all(this.#lanes.map((lane) => this.#ask(lane)));
    // Looked at in `stop`.
    this.#going.catch(() => {});
  }

  async stop(): Promise<void> {
    this.#over = true;
    await this.#going;
  }

  /** Silences are looked at from now on. */
  reset(): void {
    for (const { silence } of this.#lanes) silence.reset();
  }

  /** Of any one source, or of those that are named. */
  longestSilenceMs(of: (id: string) => boolean = () => true): number {
    return Math.max(0, ...this.#lanes.filter(({ id }) => of(id)).map(({ silence }) => silence.longestMs));
  }

  /** Whether each source has answered to what was asked after that instant. */
  allAnsweredSince(sinceMs: number): boolean {
    return this.#lanes.every(({ answeredBeganMs }) => answeredBeganMs > sinceMs);
  }

  /**
   * What is wrong with the sources as they are, in words: an acknowledged change that is gone, or one that was not
   * requested.
   */
  async differences(): Promise<string[]> {
    const wrong: string[] = [];
    for (const { id, asked, acknowledged } of this.#lanes) {
      const { body } = await this.#call('GET', `/api/supply/sources/${id}`);
      const floor = Math.round(body.floor_price_cpm * CENTS);
      if (floor >= acknowledged && floor <= asked) continue;
      wrong.push(`the floor of ${id} is ${floor}: acknowledged was ${acknowledged}, asked for ${asked}`);
    }
    return wrong;
  }

  async #ask(lane: SourceLane): Promise<void> {
    while (!this.#over) {
      const beganMs = performance.now();
      lane.asked += 1;
      const body = { floor_price_cpm: lane.asked / CENTS };
      const answer = await this.#call('PUT', `/api/supply/sources/${lane.id}`, body, ANSWER_WITHIN_MS).catch(
        () => null,
      );
      if (answer?.status === 200) {
        lane.acknowledged = lane.asked;
        lane.answers += 1;
        lane.answeredBeganMs = beganMs;
        lane.silence.onAnswer();
      }
      await pause(PAUSE_MS);
    }
  }
}
