import type { AnswerGaps } from '../traffic/traffic.ts';
import type { Comparison } from '../verification/compare.ts';

/** What a scenario is given. */
export interface Run {
  readonly rounds: number;
  /** Between 0 and 1, from the seed. */
  readonly random: () => number;
  /** False: the settings that a replicated Redis needs are left out, and something should be lost. */
  readonly safe: boolean;
  /** With as few processes as can be. */
  readonly small: boolean;
  /** In its long form, where the scenario has one: what is else scaled takes as long as it does. */
  readonly long: boolean;
  /** Everything that processes write. It is kept where the scenario fails. */
  readonly folder: string;
  /** A server whose databases are the scenario's to make and drop. */
  readonly mongodbUrl: string;
  /** A line of the story. */
  say(line: string): void;
  /** Called in reverse order at the end, however it ends. */
  atEnd(close: () => Promise<unknown>): void;
}

/** What came of a scenario. */
export interface Outcome extends Comparison, AnswerGaps {
  /** The longest of all rounds, from the fault until all clients were served again. */
  readonly recoveredMs: number;
}

/** Something that is done to an exchange on real servers while it is used. */
export interface Scenario {
  readonly name: string;
  /** A row of the table: what was done. `N` stands for the number of rounds. */
  readonly done: string;
  readonly rounds: number;
  /** The time to recover that is promised, where one is. */
  readonly withinMs?: number;
  /** Why it cannot be run on this machine; null where it can. */
  readonly missing?: () => string | null;
  run(run: Run): Promise<Outcome>;
}
