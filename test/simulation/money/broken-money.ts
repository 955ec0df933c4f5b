import type { BudgetState } from '#actors/budget/state';
import type { Impression } from '#actors/impression-rollup/messages';
import type { LedgerState } from '#actors/ledger/state';
import type { StatementFigures } from '#actors/statement/messages';
import type { AnyActorDefinition } from '#runtime/actor/define-actor';

/** What keeps money right, each with a way to break it on purpose: a run must then fail. */
export const MONEY_LAWS = {
  /** Totals of a minute take the place of what was told of it before. */
  'totals-replace': 'ledger',
  /** A ledger notes that totals of it are parked. */
  'parked-totals-are-noted': 'ledger',
  /** The ledger of an hour is closed when the watermark has passed the hour. */
  'hours-close-behind-books': null,
  /** The ledger of a day receives an hour once. */
  'hours-are-filed-once': 'ledger',
  /** The first freeze of a statement stands. */
  'first-freeze-stands': 'statement',
  /** A statement is frozen when the watermark has passed its month. */
  'statements-wait-for-books': null,
  /** The watermark is raised when all partitions were seen to have passed. */
  'watermark-waits': null,
  /** An impression is charged when it was sold, not when it was rendered. */
  'sale-names-the-slot': 'tally',
  /** What one edge has leased is not leased to another. */
  'leases-are-exclusive': 'budget',
  /** What one edge of a region has drawn of its lease is not drawn by another. */
  'draws-are-exclusive': null,
  /** What may still be billed late is not free again. */
  'leases-outlive-lateness': null,
  /** A feed is read up to the watermark, and no further. */
  'feeds-wait-for-books': null,
  /** A billed impression says for what it was counted invalid before. */
  'billed-after-invalid': null,
  /** A tracking id is appended once. */
  'appended-once': null,
  /** What home knows of a region is lost with the entries that came of it, and with nothing else. */
  'position-with-entries': null,
  /** Home knows an id for as long as the region that sold it may bring it. */
  'foreign-is-remembered': null,
  /** A budget window is settled when regions are drained beyond it. */
  'settlement-waits-for-regions': null,
  /** What comes of a region that was written off is not billed. */
  'written-off-is-parked': null,
} as const;
export type MoneyLaw = keyof typeof MONEY_LAWS;
export type BrokenMoney = ReadonlySet<MoneyLaw>;

/** The definitions with the broken laws' reducers in the place of the real ones. */
export function withBrokenMoney(
  definitions: readonly AnyActorDefinition[],
  broken: BrokenMoney,
): readonly AnyActorDefinition[] {
  return definitions.map((definition) => {
    if (broken.has('totals-replace') && definition.kind === 'ledger') return withTotalsAdded(definition);
    if (broken.has('parked-totals-are-noted') && definition.kind === 'ledger') return withoutNotes(definition);
    if (broken.has('hours-are-filed-once') && definition.kind === 'ledger') return withHoursFiledAgain(definition);
    if (broken.has('first-freeze-stands') && definition.kind === 'statement') return withStatementsRefrozen(definition);
    if (broken.has('sale-names-the-slot') && definition.kind === 'tally') return withChargeAtRender(definition);
    if (broken.has('leases-are-exclusive') && definition.kind === 'budget') return withLeasesToAll(definition);
    return definition;
  });
}

/** Forgets what it held of a minute, so that newer totals are added to it. */
function withTotalsAdded(definition: AnyActorDefinition): AnyActorDefinition {
  return {
    ...definition,
    handle(state, message, context) {
      for (const held of Object.values((state as LedgerState).open)) held.minuteMs = 0;
      return definition.handle(state, message, context);
    },
  };
}

/** Takes totals for a repetition that are replayed after a later minute. */
function withoutNotes(definition: AnyActorDefinition): AnyActorDefinition {
  return { ...definition, onParked() {} };
}

/** Forgets which hours it has received. */
function withHoursFiledAgain(definition: AnyActorDefinition): AnyActorDefinition {
  return {
    ...definition,
    handle(state, message, context) {
      if (message.type === 'hour') (state as LedgerState).filed = 0;
      return definition.handle(state, message, context);
    },
  };
}

function withStatementsRefrozen(definition: AnyActorDefinition): AnyActorDefinition {
  return {
    ...definition,
    handle(_state, { body }, { nowMs }) {
      const frozen = { ...(body as StatementFigures), finalizedAtMs: nowMs };
      return { state: { frozen }, reply: frozen };
    },
  };
}

function withChargeAtRender(definition: AnyActorDefinition): AnyActorDefinition {
  return {
    ...definition,
    handle(state, message, context) {
      const body = { ...(message.body as Impression), soldAtMs: context.nowMs };
      return definition.handle(state, { ...message, body }, context);
    },
  };
}

/** Sees no grants but the asker's own. */
function withLeasesToAll(definition: AnyActorDefinition): AnyActorDefinition {
  return {
    ...definition,
    handle(state, message, context) {
      if (message.type !== 'lease') return definition.handle(state, message, context);
      const { edge: asker } = message.body as { readonly edge: string };
      const whole = state as BudgetState;
      const slots = whole.slots.map((slot) => ({
        ...slot,
        closedNanos: 0,
        grants: slot.grants.filter(({ edge }) => edge === asker),
      }));
      return definition.handle({ ...whole, slots }, message, context);
    },
  };
}
