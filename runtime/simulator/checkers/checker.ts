import type { FinalState } from '../auditor/final-state.ts';
import type { HistoryObserver } from '../auditor/history-observer.ts';
import type { Operations } from '../auditor/operations.ts';
import type { Violations } from '../auditor/violations.ts';

/** The evidence for a checker once the cluster is at rest. */
export interface Evidence {
  readonly operations: Operations;
  readonly observer: HistoryObserver;
  readonly final: FinalState;
  readonly violations: Violations;
}

export type Checker = (evidence: Evidence) => void;
