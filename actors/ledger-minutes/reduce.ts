import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { MINUTE_ROWS } from '../ledger/grain.ts';
import { minutesAgeKey } from '../ledger/ledger-id.ts';
import { MinuteBatch } from '../ledger/messages.ts';
import { namesOf, namesText } from '../ledger/names-text.ts';
import { packPage, unpackPage } from '../ledger/packed-page.ts';
import { addPage, type RowDimension } from '../ledger/page.ts';
import { mayNameMinuteRows } from '../ledger/row-limits.ts';
import { LedgerMinutesState } from './state.ts';

export function noMinutes(id: string): LedgerMinutesState {
  return { filedUnder: minutesAgeKey(id), received: [], names: '', minutes: {} };
}

export const minutesMessages = { minutes: MinuteBatch };

/** The handlers change `state` in place: the kind is lazy. */
export const ledgerMinutesHandlers = handlersOf(LedgerMinutesState, minutesMessages, {
  minutes(state, { number, names, pages }) {
    if (state.received.includes(number)) return;
    const [own, told] = [namesOf(state.names), namesOf(names)];
    // A reducer that throws must not have changed anything, so all pages are made first.
    const made: Record<string, string> = {};
    for (const index in pages) {
      const held = state.minutes[index];
      let page = unpackPage(pages[index]!, told);
      if (held !== undefined) {
        const sum = unpackPage(held, own);
        addPage(sum, page, 1, { maxRows: MINUTE_ROWS, allowsNewRow: (part) => allowsNewRow(state, part) });
        page = sum;
      }
      made[index] = packPage(page, own);
    }
    Object.assign(state.minutes, made);
    state.names = namesText(own);
    state.received.push(number);
  },
});

function allowsNewRow({ minutes }: LedgerMinutesState, part: RowDimension): boolean {
  return mayNameMinuteRows(
    Object.values(minutes).reduce((sum, { length }) => sum + length, 0),
    part,
  );
}
