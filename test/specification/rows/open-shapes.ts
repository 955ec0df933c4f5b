import { notYet, type Section } from '../row.ts';

export const openShapes: Section = {
  title: 'Endpoints named only by the change history',
  rows: [
    ...notYet('measurement and money', {
      'feed.200': '`GET /api/dsp/{id}/feed` lists win and impression events.',
      'feed.cursor': 'The feed pages by `cursor`, with `has_more` and `next_cursor`, without gaps.',
      'budget.read': '`GET /api/demand/dsp/{id}/budget` answers budget, spent, reserved, remaining and reset time.',
      'budget.write': '`PUT /api/demand/dsp/{id}/budget` sets the daily budget.',
      'scout.events': '`POST /api/scout/events` takes viewability events from the tag.',
      'scout.viewability': '`GET /api/scout/viewability` answers rates by publisher.',
    }),
  ],
};
