import { Type } from 'typebox';
import { defineActor } from '../../actor/define-actor.ts';
import { poisoned, Tagged } from './tag.ts';

/** The projection of a session. */
export interface SessionProjection {
  readonly of: string;
  /** The log position of the last change. */
  readonly at: string;
  readonly length: number;
}

/** An actor that is created and deleted repeatedly: closing deletes it, and its history goes to an archive. */
export const session = defineActor({
  kind: 'session',
  schemaVersion: 1,
  saving: 'eager',
  state: Type.Object({ changedAt: Type.String(), history: Type.Array(Type.String()) }),
  messages: { note: Tagged({}), close: Tagged({}), poison: Tagged({}) },
  initial: () => ({ changedAt: '0-0', history: [] }),
  handlers: {
    note: (state, { tag }, { position }) => ({
      state: { changedAt: position, history: [...state.history, tag] },
      reply: { index: state.history.length },
    }),
    close: (state, { tag }, { id }) => ({
      state: null,
      reply: { index: state.history.length },
      sends: [{ to: `archive/${id}`, type: 'keep', body: { tag: keepOf(tag), tags: [...state.history, tag] } }],
    }),
    poison(_state, { tag }) {
      throw poisoned(tag);
    },
  },
  projection: (state, id): SessionProjection | null =>
    state.history.length === 0 ? null : { of: `session/${id}`, at: state.changedAt, length: state.history.length },
});

/** The tag of the message that closing sends to the archive. */
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
  handlers: {
    keep: (state, { tag, tags }) => ({
      state: { history: [...state.history, tag], tags: [...state.tags, ...tags] },
    }),
  },
});
