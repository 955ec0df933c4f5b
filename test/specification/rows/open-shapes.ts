import { rowsShownIn, type Section } from '../row.ts';

export const openShapes: Section = {
  title: 'Endpoints whose shape the specification leaves open',
  rows: [
    ...rowsShownIn('budget.test.ts', {
      'budget.read': '`GET /api/demand/dsp/{id}/budget` answers budget, spent, reserved, remaining and reset time.',
      'budget.write': '`PUT /api/demand/dsp/{id}/budget` sets the daily budget.',
    }),
    ...rowsShownIn('api-description.test.ts', {
      'open.openapi': '`GET /api/openapi.json` describes every endpoint of the management API.',
      'open.docs': '`GET /docs` shows that description.',
    }),
    ...rowsShownIn('partners.test.ts', {
      'open.account': '`GET/PUT /api/account` reads and sets name and tier.',
      'open.partners': '`GET/POST /api/partners` lists and makes partners.',
    }),
    ...rowsShownIn('feed.test.ts', {
      'feed.200': '`GET /api/dsp/{id}/feed` lists win and impression events.',
      'feed.cursor': 'The feed pages by `cursor`, with `has_more` and `next_cursor`, without gaps.',
      'feed.money': 'What the feed’s impressions cost is what the books say.',
      'feed.400': 'A cursor that is none, of another feed or too old is 400.',
      'feed.off': 'A demand source may go without a feed (`event_feed`).',
    }),
    ...rowsShownIn('scout.test.ts', {
      'scout.events': '`POST /api/scout/events` takes viewability events from the tag.',
      'scout.events.signed':
        'Only what this exchange sold counts, each event once for an impression, at the edge or here.',
      'scout.events.400': 'Events that there are not, and too many, are 400.',
      'scout.viewability': '`GET /api/scout/viewability` answers rates by publisher.',
      'scout.viewability.by': 'Viewability is told by demand source and by creative, too.',
      'scout.viewability.400': 'A query that names nobody, or somebody else’s, is refused.',
    }),
  ],
};
