import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { comparePositions } from '../../runtime/actor/position.ts';
import { Totals } from './messages.ts';
import type { LedgerState, ToldMinute } from './state.ts';

type ParkedMinute = NonNullable<LedgerState['parked']>[number];

const MinuteVersion = Type.Pick(Totals, ['partition', 'minuteMs', 'version']);
const minuteVersion = Compile(MinuteVersion);

/**
 * Notes, in place, that totals were parked: their partition may go on to a later minute before they are replayed, and
 * without the note the replay would be taken for a repetition.
 * @param body the body of the parked message, of any form
 */
export function noteParkedTotals(state: LedgerState, body: unknown): void {
  if (!minuteVersion.Check(body)) return;
  const { partition, minuteMs, version } = body as Static<typeof MinuteVersion>;
  const parked = parkedMinute(state, partition, minuteMs);
  if (parked !== undefined) {
    if (comparePositions(version, parked.version) > 0) parked.version = version;
    return;
  }
  const held = state.open[partition];
  if (held && comparePositions(version, held.version) <= 0) return;
  state.parked = [...(state.parked ?? []), { partition, minuteMs, version }];
}

/** The note on a partition's minute of which totals are parked. */
export function parkedMinute({ parked }: LedgerState, partition: number, minuteMs: number): ParkedMinute | undefined {
  return parked?.find((one) => one.partition === partition && one.minuteMs === minuteMs);
}

/**
 * Keeps, in place, what a partition has told last of a minute: apart where it is its newest, and with the note where
 * totals of the minute are still parked. A note is dropped when its version, or a later one, has been told.
 */
export function keepTold(state: LedgerState, partition: number, told: ToldMinute): void {
  const newest = state.open[partition];
  const isOver = newest !== undefined && told.minuteMs < newest.minuteMs;
  const note = parkedMinute(state, partition, told.minuteMs);
  if (note !== undefined && comparePositions(told.version, note.version) >= 0) dropNote(state, note);
  else if (isOver && note !== undefined) note.told = told;
  if (isOver) return;
  if (newest !== undefined && newest.minuteMs < told.minuteMs) {
    const before = parkedMinute(state, partition, newest.minuteMs);
    if (before !== undefined) before.told = newest;
  }
  state.open[partition] = told;
}

function dropNote(state: LedgerState, note: ParkedMinute): void {
  const others = state.parked!.filter((one) => one !== note);
  if (others.length > 0) state.parked = others;
  else delete state.parked;
}

/** Replaces the packed pages of the notes, in place. */
export function repackParked({ parked = [] }: LedgerState, repack: (packed: string) => string): void {
  for (const note of parked)
    if (note.told !== undefined) note.told = { ...note.told, packed: repack(note.told.packed) };
}
