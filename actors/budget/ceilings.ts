import type { Static } from 'typebox';
import type { Changes } from '../../runtime/actor/define-actor.ts';
import { BUDGET_WINDOW_MS } from './budget-window.ts';
import type { budgetMessages } from './messages.ts';
import { type BudgetState, withWindows } from './state.ts';

type CeilingStatement = Static<(typeof budgetMessages)['ceiling']>;

/**
 * Replaces what an edge has stated. Of windows that may be billed no more nothing is kept, unless the budget has opened
 * them and not settled them yet.
 */
export function applyCeiling(state: BudgetState, statement: CeilingStatement): Changes<BudgetState> {
  const { edge, number, slotsFromMs, spans } = statement;
  const known = state.ceilings ?? [];
  const last = known.find((stated) => stated.edge === edge);
  if (last !== undefined && number <= last.number) return {};
  const earlierMs = slotsFromMs - BUDGET_WINDOW_MS;
  const earlier = (last?.spans ?? [])
    .filter(({ fromMs }) => fromMs <= earlierMs)
    .map((span) => ({ ...span, throughMs: Math.min(span.throughMs, earlierMs) }));
  const stated = { edge, number, spans: [...earlier, ...spans.filter(({ nanos }) => nanos > 0)] };
  const next = { ...state, ceilings: [...known.filter((other) => other !== last), stated] };
  const keptFromMs = Math.min(slotsFromMs, state.oldestSlotMs ?? slotsFromMs);
  return { state: withWindows(withCeilingsFrom(next, keptFromMs), state.slots) };
}

/** `state` without the ceilings of windows before `fromMs`. */
export function withCeilingsFrom(state: BudgetState, fromMs: number): BudgetState {
  const { ceilings = [], ...others } = state;
  const kept = ceilings
    .map((stated) => ({ ...stated, spans: stated.spans.filter(({ throughMs }) => throughMs >= fromMs) }))
    .filter(({ spans }) => spans.length > 0);
  return kept.length === 0 ? others : { ...others, ceilings: kept };
}
