import type { AuctionOutcome, Win } from '../../exchange/auction/auction.ts';
import { rejectedFor } from '../../exchange/auction/rejection.ts';
import { MAX_MARKUP } from '../../exchange/openrtb/bid-response-shape.ts';
import { MAX_NOTICE_URL, substituteMacros } from '../../exchange/openrtb/macros.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { FrequencyCaps } from '../delegates/frequency-caps.ts';
import type { SoldCreative } from '../delegates/sold-creative.ts';
import { newTrackingId } from '../tracking/tracking-id.ts';
import type { AuctionRun, FailedWin } from './auction-run.ts';
import type { MarkupSource } from './bidders.ts';
import type { AuctionResult } from './held-auction.ts';
import { hasMarkup } from './lost-rounds.ts';
import { winMacroValues } from './notice-values.ts';
import { isInTestMode } from './test-mode.ts';

const NO_MARKUP = rejectedFor('creative-rejected', 'its win notice brought no markup in time');
const TOO_MUCH_MARKUP = rejectedFor('creative-rejected', 'its win notice brought too much markup');
const TOO_LONG_URL = rejectedFor('creative-rejected', 'its win notice, which brings its markup, has too long a URL');

export interface PreparationPolicy {
  readonly markup: MarkupSource;
  readonly caps: FrequencyCaps;
  readonly clock: Clock;
  /** Monotonic ms by which the auction must be over. */
  readonly deadlineMs: number;
  /** ms after the sale within which an impression may be rendered. */
  readonly renderWindowMs: number;
}

/**
 * Prepares the wins for sale. The result is null when a winner could not be sold and the auction must be decided again.
 * Some winners first need asynchronous work: fetching markup from the win notice (OpenRTB 2.6 §4.2.3, `nurl`), or
 * taking a place under a frequency cap. A winner whose work fails loses. Returns a promise only when there is something
 * to wait for; it never rejects.
 */
export function prepareWinners(
  run: AuctionRun,
  outcome: AuctionOutcome,
  policy: PreparationPolicy,
): AuctionResult | null | Promise<null> {
  if (outcome.wins.some((win) => needsPreparation(win, run))) return prepareInTime(run, outcome, policy);
  const result = run.conclude(outcome);
  if (result !== null) run.releasePlaces(result, policy.caps);
  return result;
}

/** Whether a winner needs asynchronous work before it can be sold. */
function needsPreparation({ bid }: Win, run: AuctionRun): boolean {
  const shown = run.creativeOf(bid);
  if (shown === undefined) return !hasMarkup(bid) && bid.nurl !== undefined;
  return shown.campaign.cap !== null && !run.isPlaced(bid) && !isInTestMode(run.context.auction);
}

/** Does the asynchronous work of all winners at once. */
async function prepareInTime(run: AuctionRun, { wins }: AuctionOutcome, policy: PreparationPolicy): Promise<null> {
  const unready = wins.filter((win) => needsPreparation(win, run));
  if (policy.clock.monotonic() >= policy.deadlineMs) run.rejectWithoutMarkup();
  const failures = await Promise.all(unready.map((win) => prepareWinner(win, run, policy)));
  run.fail(failures.filter((failure) => failure !== null));
  return null;
}

/** Null for a winner whose work is done. */
function prepareWinner(win: Win, run: AuctionRun, policy: PreparationPolicy): Promise<FailedWin | null> {
  const shown = run.creativeOf(win.bid);
  return shown === undefined ? fetchMarkup(win, run, policy) : reserveFrequencyCap(win, shown, run, policy);
}

async function fetchMarkup(
  win: Win,
  run: AuctionRun,
  { markup, clock, deadlineMs }: PreparationPolicy,
): Promise<FailedWin | null> {
  const values = winMacroValues(run.context.auction.request.id, win, run.offerOf(win));
  const url = substituteMacros(win.bid.nurl!, values, MAX_NOTICE_URL);
  if (url.length > MAX_NOTICE_URL) return [win, TOO_LONG_URL];
  const timeLeftMs = deadlineMs - clock.monotonic();
  const adm = timeLeftMs > 0 ? await markup.fetch(url, timeLeftMs) : null;
  if (adm === null) return [win, NO_MARKUP];
  if (adm.length > MAX_MARKUP) return [win, TOO_MUCH_MARKUP];
  run.supplyMarkup(win.bid, adm);
  return null;
}

async function reserveFrequencyCap(
  win: Win,
  { campaign }: SoldCreative,
  run: AuctionRun,
  policy: PreparationPolicy,
): Promise<FailedWin | null> {
  const { auction, nowMs } = run.context;
  const deviceKey = auction.viewer.deviceKey!;
  const cap = { campaignId: campaign.id, maxImpressions: campaign.cap!.maxImpressions };
  const trackingId = newTrackingId();
  const untilMs = nowMs + policy.renderWindowMs;
  const taken = policy.caps.reserve(deviceKey, cap, trackingId, untilMs);
  if (await beforeDeadline(policy, taken)) {
    run.place(win.bid, trackingId);
    return null;
  }
  void taken.then((late) => {
    if (late) policy.caps.release(deviceKey, campaign.id, trackingId);
  });
  return [win, rejectedFor('frequency-cap-reached')];
}

/** False when the auction's deadline comes first. */
function beforeDeadline({ clock, deadlineMs }: PreparationPolicy, taken: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(Math.max(0, deadlineMs - clock.monotonic()), () => resolve(false));
    void taken.then((is) => {
      cancel();
      resolve(is);
    });
  });
}
