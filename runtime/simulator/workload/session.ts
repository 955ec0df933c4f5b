import { Type } from 'typebox';
import { defineActor } from '../../actor/define-actor.ts';
import { poisoned, Tagged } from './tag.ts';

/** What replicas hold of a session. */
export interface SessionView {
  readonly of: string;
  /** The log position of the last change. */
  readonly at: string;
  readonly length: number;
}

/** An actor that comes and goes: closing deletes it, and what it had been told goes to an archive. */
export const session = defineActor({
  kind: 'session',
  schemaVersion: 1,
  saving: 'eager',
  state: Type.Object({ changedAt: Type.String(), history: Type.Array(Type.String()) }),
  messages: { note: Tagged({}), close: Tagged({}), poison: Tagged({}) },
  initial: () => ({ changedAt: '0-0', history: [] }),
  handle(state, { type, body }, context) {
    if (type === 'poison') throw poisoned(body.tag);
    const history = [...state.history, body.tag];
    const reply = { index: state.history.length };
    if (type === 'note') return { state: { changedAt: context.position, history }, reply };
    const kept = { tag: keepOf(body.tag), tags: history };
    return { state: null, reply, sends: [{ to: `archive/${context.id}`, type: 'keep', body: kept }] };
  },
  view: (state, id): SessionView | null =>
    state.history.length === 0 ? null : { of: `session/${id}`, at: state.changedAt, length: state.history.length },
});

/** The tag of what closing sends to the archive. */
export function keepOf(close: string): string {
  return `${close}/keep`;
}

export const archive = defineActor({
  kind: 'archive',
  schemaVersion: 1,
  saving: 'eager',
  state: Type.Object({ history: Type.Array(Type.String()), tags: Type.Array(Type.String()) }),
  messages: { keep: Tagged({ tags: Type.Array(Type.String()) }) },
  initial: () => ({ history: [], tags: [] }),
  handle: (state, { body }) => ({
    state: { history: [...state.history, body.tag], tags: [...state.tags, ...body.tags] },
  }),
});
