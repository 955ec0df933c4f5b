import Type, { type Static } from 'typebox';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { creativeDiskMessages } from './messages.ts';

export const CreativeDiskState = Type.Object({
  /** The bytes of all files at the last measurement, minus those deleted since. */
  measuredBytes: Type.Integer({ minimum: 0 }),
  /**
   * The files that were new when they were wanted and that no measurement has listed since, by SHA-256: when, in ms
   * since the Unix epoch, and their bytes. States of older releases have 0 bytes for those that were stored already.
   */
  wanted: Type.Record(Type.String(), Type.Tuple([Type.Integer({ minimum: 0 }), Type.Integer({ minimum: 0 })])),
  /** Since when a file has had no reference, ms since the Unix epoch. */
  unreferenced: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  /** The files that are being deleted: no user may rely on them. */
  collecting: Type.Record(Type.String(), Type.Literal(true)),
});
export type CreativeDiskState = Static<typeof CreativeDiskState>;

export const emptyCreativeDisk: CreativeDiskState = { measuredBytes: 0, wanted: {}, unreferenced: {}, collecting: {} };

/** The answer to `want`. */
export type FileReservationReply = 'kept' | 'full' | 'collecting';

/** A file is stored up to this many ms after it was wanted, so until then a listing may lack it. */
const STORING_MS = 10 * 60_000;
/**
 * The most new files between two measurements, and the most files that wait to be deleted; others get their turn later.
 * At 250 bytes each, 8 MB.
 */
export const MAX_FILES = 30_000;

export const creativeDiskHandlers = handlersOf(CreativeDiskState, creativeDiskMessages, {
  want(state, { sha256, bytes, stored, most }, { nowMs }): Effects<CreativeDiskState, FileReservationReply> {
    if (state.collecting[sha256]) return { reply: 'collecting' };
    const { [sha256]: since, ...unreferenced } = state.unreferenced;
    // Without a date in `unreferenced` no file is deleted, and the next date begins its time anew.
    if (stored) return since === undefined ? { reply: 'kept' } : { state: { ...state, unreferenced }, reply: 'kept' };
    const [, counted = 0] = state.wanted[sha256] ?? [];
    const known = state.wanted[sha256] !== undefined;
    if (!known && Object.keys(state.wanted).length >= MAX_FILES) return { reply: 'full' };
    if (counted === 0 && bytesOf(state) + bytes > most) return { reply: 'full' };
    const wanted = { ...state.wanted, [sha256]: [nowMs, counted || bytes] as [number, number] };
    return { state: { ...state, wanted, unreferenced }, reply: 'kept' };
  },
  measured(state, { bytes, fromMs }) {
    const unlisted = Object.entries(state.wanted).filter(([, [atMs]]) => atMs + STORING_MS >= fromMs);
    return { state: { ...state, measuredBytes: bytes, wanted: Object.fromEntries(unlisted) } };
  },
  looked(state, body, { nowMs }) {
    const unreferenced = { ...state.unreferenced };
    for (const sha256 of body.referenced) delete unreferenced[sha256];
    let room = MAX_FILES - Object.keys(unreferenced).length;
    for (const sha256 of body.unreferenced) {
      if (unreferenced[sha256] !== undefined || room-- <= 0) continue;
      unreferenced[sha256] = nowMs;
    }
    return { state: { ...state, unreferenced } };
  },
  collect(state, { files, afterMs }, { nowMs }) {
    const deletable = files.filter((sha256) => {
      const since = state.unreferenced[sha256];
      return since !== undefined && since + afterMs <= nowMs;
    });
    const collecting = { ...state.collecting };
    for (const sha256 of deletable) collecting[sha256] = true;
    return { state: { ...state, collecting }, reply: deletable };
  },
  collected(state, { files, bytes }) {
    const [collecting, unreferenced, wanted] = [
      { ...state.collecting },
      { ...state.unreferenced },
      { ...state.wanted },
    ];
    for (const sha256 of files) {
      delete collecting[sha256];
      delete unreferenced[sha256];
      delete wanted[sha256];
    }
    const measuredBytes = Math.max(0, state.measuredBytes - bytes);
    return { state: { measuredBytes, wanted, unreferenced, collecting } };
  },
});

/** The bytes of all files, those on their way included. */
export function bytesOf({ measuredBytes, wanted }: CreativeDiskState): number {
  let bytes = measuredBytes;
  for (const sha256 in wanted) bytes += wanted[sha256]![1];
  return bytes;
}
