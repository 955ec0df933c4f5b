import { Strategy } from '#exchange/strategy/document/strategy';
import { defineRoute } from '../../routing/route.ts';
import { uploadedStrategy } from '../strategy/read.ts';

export const dspStrategy = defineRoute({
  method: 'GET',
  path: '/api/demand/strategy',
  tag: 'Source reports',
  operationId: 'getOwnStrategy',
  summary: "Read the strategy of the key's demand source, a delegate",
  description:
    'As it was last uploaded; campaigns that were made one by one are not in it. 404 where none was, as of a bidder.',
  access: 'dsp-key',
  revised: true,
  errors: ['NOT_FOUND'],
  answer: { status: 200, schema: Strategy },
  async handle({ source, revision, parts }) {
    const { uploaded, revision: read } = await uploadedStrategy(parts, source.id);
    revision(read);
    return uploaded;
  },
});
