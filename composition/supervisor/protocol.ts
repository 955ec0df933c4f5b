import type { ChildProcess } from 'node:child_process';
import type { Excludable } from '../../gateways/operations.ts';
import type { Served } from '../served.ts';

/** The variable by which a supervisor tells a process of its own which one it is. */
export const SUPERVISED_AS = 'SUPERVISED_AS';

export interface ReadinessAnswer {
  /** The parts that are missing; none: the process is ready. */
  readonly missing: readonly string[];
  readonly underWay: readonly string[];
}

/** What a supervisor asks; `restart` is to drain and to end, and is answered before that. */
export type Question =
  | { readonly what: 'readiness'; readonly leftOut: readonly Excludable[] }
  | { readonly what: 'metrics' }
  | { readonly what: 'connections' }
  | { readonly what: 'keepConnections'; readonly kept: number }
  | { readonly what: 'restart' };

/** The answers, by what was asked; metrics are Prometheus text, connections a number of them. */
export interface Answers {
  readonly readiness: ReadinessAnswer;
  readonly metrics: string;
  readonly connections: number;
  readonly keepConnections: null;
  readonly restart: null;
}

/** From the supervisor to a process. */
export type Asked = Question & { readonly id: number };

/** From a process to its supervisor. */
export type Told =
  | { readonly serving: Served }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: string };

/** The side of the supervisor: a process that was forked. */
export type Forked = Pick<ChildProcess, 'pid' | 'send' | 'kill' | 'on' | 'once' | 'connected'>;
