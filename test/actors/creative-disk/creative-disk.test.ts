import { creativeDisk, creativeDiskId } from '#actors/creative-disk/creative-disk';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const [one, other] = ['a'.repeat(64), 'b'.repeat(64)];
const want = (sha256: string, { stored = false, bytes = 10, most = 100, atMs = 0 } = {}) => ({
  type: 'want',
  body: { sha256, bytes, stored, most },
  atMs,
});
const measured = (bytes: number, fromMs: number) => ({
  type: 'measured',
  body: { bytes, fromMs: beginningMs + fromMs },
  atMs: fromMs,
});
const looked = (unreferenced: string[], atMs = 0) => ({ type: 'looked', body: { unreferenced, referenced: [] }, atMs });
const collect = (files: string[], atMs: number) => ({ type: 'collect', body: { files, afterMs: 2 * DAY_MS }, atMs });

describe('actors/creative-disk', () => {
  runActorCases(creativeDisk, creativeDiskId, [
    {
      title: 'counts a new file until a measurement has it',
      given: [measured(85, 0)],
      when: want(one),
      does: { reply: 'kept', state: { measuredBytes: 85, wanted: { [one]: [beginningMs, 10] } } },
    },
    {
      title: 'has no room for a new file beyond the most of all, those on their way included',
      given: [measured(85, 0), want(one)],
      when: want(other),
      does: { reply: 'full', state: 'same' },
    },
    {
      title: 'has room for a file that is stored, however full the storage is, and remembers nothing of it',
      given: [measured(100, 0)],
      when: want(one, { stored: true }),
      does: { reply: 'kept', state: 'same' },
    },
    {
      title: 'keeps counting a new file that another user needs while it is on its way',
      given: [want(one)],
      when: want(one, { stored: true, atMs: 1_000 }),
      does: { reply: 'kept', state: 'same' },
    },
    {
      title: 'counts a file no more that was stored before a measurement began',
      given: [want(one), want(other, { atMs: 5 * MINUTE_MS })],
      when: measured(10, 11 * MINUTE_MS),
      does: { state: { measuredBytes: 10, wanted: { [other]: [beginningMs + 5 * MINUTE_MS, 10] } } },
    },
    {
      title: 'deletes no file that was needed again, before it had no reference for the whole time anew',
      given: [looked([one]), want(one, { stored: true, atMs: DAY_MS }), looked([one], DAY_MS + 1)],
      when: collect([one], 3 * DAY_MS),
      does: { reply: [] },
    },
    {
      title: 'deletes a file that has had no reference for the whole time since it was needed',
      given: [looked([one]), want(one, { stored: true, atMs: DAY_MS }), looked([one], DAY_MS + 1)],
      when: collect([one], 3 * DAY_MS + 1),
      does: { reply: [one], state: { collecting: { [one]: true } } },
    },
    {
      title: 'has a user of a file that is being deleted ask again',
      given: [looked([one]), collect([one], 2 * DAY_MS)],
      when: want(one, { stored: true, atMs: 2 * DAY_MS }),
      does: { reply: 'collecting', state: 'same' },
    },
  ]);
});
