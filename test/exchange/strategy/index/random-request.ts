import type { Imp } from '#exchange/openrtb/fields/imp';
import type { TargetingContext } from '#exchange/strategy/read-field';
import type { RandomChoices } from './random-choices.ts';

/** Values of requests, and of conditions on them: few, so that they meet. */
export const WORDS = ['drama', 'Sport', 'news', '3', '3.0', '03', 'true', '1e3', 'tizen', ' x '];
export const COUNTRIES = ['AE', 'ARE', 'us', 'USA', 'gb', 'GBR'];
export const CATEGORIES = ['IAB1', 'IAB1-2', 'IAB9', 'iab9-1'];
/** Many, for long lists. */
export const PAGES = Array.from({ length: 60 }, (_, at) => `/page-${at}`);
export const DOMAINS = ['news.example', 'sport.example', 'Tv.Example'];

/**
 * A request with all that is unusual: numbers as text, lists within lists, nulls, values of no type that was expected.
 */
export function randomView(draw: RandomChoices): TargetingContext {
  const content = () =>
    draw.optional(0.7, { genre: () => draw.one<unknown>(['Drama', 'sport', '', 3, null, '3.0', true]) });
  const inventory = {
    ...draw.optional(0.6, {
      id: () => '1',
      domain: () => draw.one(DOMAINS),
      page: () => draw.one(PAGES),
      keywords: () => draw.one<unknown>([draw.one(PAGES), draw.some(PAGES, 1, 20)]),
      bundle: () => draw.one(DOMAINS),
      cat: () => draw.some(CATEGORIES, 0, 3),
      content,
    }),
  };
  const kind = draw.one(['site', 'app', 'dooh', null]);
  const request = {
    id: '1',
    imp: [],
    ...(kind === null ? {} : { [kind]: inventory }),
    ...draw.optional(0.8, {
      device: () =>
        draw.optional(0.7, {
          devicetype: () => draw.one<unknown>([1, 2, 3, 4, 5, 6, 7, '3', 3.5, null]),
          os: () => draw.one(['Tizen', 'webos', '']),
          osv: () => draw.one(['6.5', '6.5.0', '6.10', '10', '10.0', 'x', '3', '03']),
          ifa: () => 'a',
          w: () => 320,
          h: () => draw.one([50, 480]),
          geo: () =>
            draw.optional(0.8, {
              country: () => draw.one<unknown>([...COUNTRIES, 'zz', 784, '', ' AE']),
              city: () => draw.one(['Dubai', 'London']),
              lat: () => draw.one([-3, 0, 25.2]),
            }),
        }),
      user: () =>
        draw.optional(0.6, {
          eids: () => [{ source: 'a.example', uids: [{ id: 'x' }, { id: 'y' }] }, { source: draw.one(DOMAINS) }],
          ext: () => ({
            segment: draw.one<unknown>([
              draw.some<unknown>([...WORDS, 3, 1000, true, null, [3, ['drama']], { a: 1 }], 0, 4),
              'drama',
              { a: { b: 3 } },
              [{ a: { b: draw.one(WORDS) } }, { a: [{ b: 3 }, { c: 1 }] }],
            ]),
            ...(draw.chance(0.3) ? { constructor: draw.one(WORDS) } : {}),
          }),
        }),
      regs: () => ({ coppa: draw.below(2) }),
    }),
  };
  const imp = draw.chance(0.1) ? null : randomImp(draw);
  const publisherGenre = draw.one([null, null, 'sport', 'Drama']);
  return { request, imp, publisherGenre } as unknown as TargetingContext;
}

function randomImp(draw: RandomChoices): Imp {
  return {
    id: '1',
    ...draw.optional(0.5, {
      video: () => ({ mimes: draw.some(['video/mp4', 'video/webm'], 1, 2) }),
      audio: () => ({ mimes: ['audio/mpeg'] }),
      native: () => ({ request: '{}' }),
      banner: () =>
        draw.optional(0.6, {
          w: () => draw.one([300, 320]),
          h: () => draw.one([250, 50]),
          format: () =>
            draw.some(
              [
                { w: 300, h: 250 },
                { w: 320, h: 50 },
                { wratio: 6, hratio: 5 },
              ],
              0,
              2,
            ),
          api: () => draw.some([3, 5, 6], 1, 2),
        }),
      bidfloor: () => draw.one([0, 1.5, 3]),
      instl: () => draw.one([0, 1] as const),
    }),
  };
}
