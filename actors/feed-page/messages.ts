import Type, { type Static } from 'typebox';

/** An impression on its way to its page. */
export const PlacedRow = Type.Object({
  /** Of the impression, in its partition. */
  position: Type.String(),
  /** See event.ts. */
  row: Type.String(),
});

export type PlacedRow = Static<typeof PlacedRow>;

export const feedPageMessages = {
  /**
   * What one partition has for this page and does not know to have arrived, in the order of its positions. Told again until
   * it has, so all of it may be known.
   */
  impressions: Type.Object({ partition: Type.Integer({ minimum: 0 }), events: Type.Array(PlacedRow) }),
  /** What an edge has sold, as rows without their time. Appended at most once. */
  wins: Type.Object({ rows: Type.Array(Type.String()) }),
};
