import Type from 'typebox';
import { VIEW_EVENTS } from '#edge/tracking/view-event';
import { VIEWABILITY_OUTCOMES } from '#edge/viewability/viewability-ingest';
import { defineRoute } from '../../routing/route.ts';

/** The largest number of events of one call; a page shows no more ads at once. */
const MOST_EVENTS = 50;

const description = `For tags and players that measure for themselves; it needs no key, since what it takes is signed. The exchange's own tag tells the edge the same (\`POST {rtb_url}/track/view?event=…&<query>\`, or GET, as players call trackers), with the same meaning: an event counts once for an impression that this exchange has billed, whichever edges hear of it, within the time in which it may be rendered, and bills nothing.

By the MRC's guidelines an ad is viewable when half of its pixels were in view for a second without a break (of a display ad of 242,500 pixels or more, three tenths), a video's for two seconds while it played. \`viewable\` says that it was measurable, too. Nobody verifies what a page measures: measurement of third parties (OMID) is not read.`;

export const takeScoutEvents = defineRoute({
  method: 'POST',
  path: '/api/scout/events',
  tag: 'Supply',
  operationId: 'recordViewabilityEvents',
  summary: 'Tell what was seen of ads',
  description,
  access: 'public',
  body: Type.Object(
    {
      events: Type.Array(
        Type.Object(
          {
            event: Type.Enum([...VIEW_EVENTS], {
              description:
                '`measurable`: rendered where its visibility can be told. `viewable`: seen. `not_viewable`: measurable, and not seen. `undetermined`: nobody can tell.',
            }),
            tracking: Type.String({
              minLength: 1,
              maxLength: 8_000,
              description: 'The query of the ad’s tracking URL, as it is: everything behind the question mark.',
            }),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: MOST_EVENTS },
      ),
    },
    { additionalProperties: false },
  ),
  examples: { body: { events: [{ event: 'viewable', tracking: 'id=…&pub=…&dsp=…&price=2500000&region=fra&t=…' }] } },
  answer: {
    status: 200,
    schema: Type.Object({
      outcomes: Type.Array(
        Type.Enum([...VIEWABILITY_OUTCOMES], {
          description:
            'In the order of the events. `counted` alone changes figures. `waiting`: the impression is not billed yet; it counts if that happens within a minute. `noted`: undetermined. `audio`: what is heard is not seen.',
        }),
      ),
    }),
  },
  async handle({ body: { events }, parts }) {
    return { outcomes: await Promise.all(events.map(({ event, tracking }) => parts.views.take(event, tracking))) };
  },
});
