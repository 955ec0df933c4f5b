import Type from 'typebox';

/** An impression on its way to its page, as older releases told of it. */
const PositionedRow = Type.Object({
  /** Of the impression, in its partition. */
  position: Type.String(),
  /** See event.ts. */
  row: Type.String(),
});

/**
 * What one partition has for this page and does not know to have arrived, in the order of its positions. Told again until
 * it has, so all of it may be known.
 */
export const ImpressionRows = Type.Object({
  partition: Type.Integer({ minimum: 0 }),
  /** Positions of the first and the last impression. */
  from: Type.String(),
  through: Type.String(),
  /** See packed-rows.ts. */
  rows: Type.String(),
});

export const feedPageMessages = {
  shown: ImpressionRows,
  /** The same, from a tally of an older release. */
  impressions: Type.Object({ partition: Type.Integer({ minimum: 0 }), events: Type.Array(PositionedRow) }),
  /** What an edge has sold, as rows without their time. Appended at most once. */
  wins: Type.Object({ rows: Type.Array(Type.String()) }),
};
