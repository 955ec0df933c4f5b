import type { AnswerBody } from '../../../../api/queries.ts';

/** The answer of a backtest. */
export type Backtest = AnswerBody<'post', '/api/demand/sources/{id}/strategy/backtest'>;

/** Of the auctions that were recorded, or of all that they stand for. */
export type Counted = 'extrapolated' | 'sample';
