import type { AnswerBody } from '../../../../api/queries.ts';

/** The answer of a simulated auction. */
export type Simulation = AnswerBody<'post', '/api/demand/sources/{id}/strategy/simulate'>;

/** What it says of one campaign. */
export type Judged = Simulation['conditions_evaluated'][number];
