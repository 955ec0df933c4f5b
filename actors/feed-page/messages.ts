import Type from 'typebox';

/** An impression on its way to its page, in the form of older releases. */
const PositionedRow = Type.Object({
  /** The position of the impression in its partition. */
  position: Type.String(),
  /** See feed-event.ts. */
  row: Type.String(),
});

/**
 * The impressions that one partition has for this page and that are not acknowledged yet, in the order of their
 * positions. The partition repeats them until they are acknowledged, so the page may know all of them.
 */
export const ImpressionRows = Type.Object({
  partition: Type.Integer({ minimum: 0 }),
  /** The positions of the first and the last impression. */
  from: Type.String(),
  through: Type.String(),
  /** See packed-rows.ts. */
  rows: Type.String(),
});

export const feedPageMessages = {
  shown: ImpressionRows,
  /** The same, from an impression rollup of an older release. */
  impressions: Type.Object({ partition: Type.Integer({ minimum: 0 }), events: Type.Array(PositionedRow) }),
  /** The sales of an edge, as rows without their time. Appended at most once. */
  wins: Type.Object({ rows: Type.Array(Type.String()) }),
};
