// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are OpenRTB macros
import { rowsShownIn, type Section } from '../row.ts';

export const lossNotices: Section = {
  title: 'Loss notification',
  rows: rowsShownIn('loss-notices.test.ts', {
    'loss.post': 'When a bid loses, its `lurl` gets an HTTP POST.',
    'loss.method': 'A demand source that wants it so gets its `lurl` called by GET (`loss_notice_method`).',
    'loss.macro.id': '`${AUCTION_ID}` is the request’s id.',
    'loss.macro.price': '`${AUCTION_PRICE}` is the winning price, CPM.',
    'loss.macro.loss': '`${AUCTION_LOSS}` is the loss reason code.',
    'loss.100': 'Code `100`: the bid was below the auction floor.',
    'loss.102': 'Code `102`: the bid lost to a higher one.',
    'loss.winner': 'The winner’s `lurl` is not called.',
    'loss.not-passed-on': '`lurl` stays between the exchange and the bidder.',
  }),
};
