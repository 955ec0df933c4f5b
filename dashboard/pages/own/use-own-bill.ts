import { useAnswer } from '../../api/queries.ts';
import type { Bill } from '../billing/billing.ts';
import { useOwnSource } from './own-source.ts';

/** The bill of one's own source of a month. */
export function useOwnBill(month: string) {
  const { type } = useOwnSource();
  const init = { params: { query: { month } } };
  const payout = useAnswer('/api/source/billing', init, { enabled: type === 'publisher' });
  const invoice = useAnswer('/api/demand/billing', init, { enabled: type === 'dsp' });
  const asked = type === 'publisher' ? payout : invoice;
  return { ...asked, body: asked.body as Bill | undefined };
}
