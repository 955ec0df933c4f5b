import Type, { type Static } from 'typebox';
import type { Context, Send } from '../../runtime/actor/context.ts';
import { defineActor, type Effects } from '../../runtime/actor/define-actor.ts';
import { publishWebhookEvent } from '../webhook-subscriptions/publish-event.ts';
import { failureMessages, VerificationOutcome } from './outcome.ts';

const Instant = Type.Integer({ minimum: 0 });

export const VerificationState = Type.Object({
  accountId: Type.String(),
  /** `unverified`: no check has found out anything yet. */
  status: Type.Enum(['unverified', 'verified', 'failed']),
  /** The outcome that the status rests on: that of the last check that found out something. */
  found: Type.Union([VerificationOutcome, Type.Null()]),
  /** When that check was, and when the status last changed; ms since the epoch, null when never. */
  foundAtMs: Type.Union([Instant, Type.Null()]),
  changedAtMs: Type.Union([Instant, Type.Null()]),
  /** When the last check was, and why it found out nothing; null when it found out something. */
  checkedAtMs: Type.Union([Instant, Type.Null()]),
  error: Type.Union([Type.String(), Type.Null()]),
  /** Since when no check could find out anything; null while checks can. */
  unavailableSinceMs: Type.Union([Instant, Type.Null()]),
  /** The type and domains of the source that the result is about; when they change, the result is discarded. */
  about: Type.String(),
  /**
   * The environment of the source when webhooks were last told the status: those of the other one have not been told.
   * Absent where no status was told, or by a release that did not keep it; then it counts as the present one.
   */
  sandbox: Type.Optional(Type.Boolean()),
  nextCheckAtMs: Instant,
});
export type VerificationState = Static<typeof VerificationState>;

const messages = {
  /**
   * The result of a check of a source's file, with the source at that time. A result older than the last one changes
   * nothing. Answers the state.
   */
  checked: Type.Object({
    accountId: Type.String(),
    partnerId: Type.Union([Type.String(), Type.Null()]),
    sandbox: Type.Boolean(),
    publisherName: Type.String(),
    about: Type.String(),
    /** The line that the file should contain. */
    expectedLine: Type.String(),
    atMs: Instant,
    outcome: VerificationOutcome,
  }),
};
type Checked = Static<typeof messages.checked>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** ads.txt 1.1 §3.6: what was read is valid for seven days, unless the file says otherwise. */
const EXPIRES_AFTER_MS = 7 * DAY_MS;
/** The checks of one day are spread: each comes up to this many ms earlier than a day after the last. */
const SPREAD_MS = 2 * HOUR_MS;

const emptyVerification: VerificationState = {
  accountId: '',
  status: 'unverified',
  found: null,
  foundAtMs: null,
  changedAtMs: null,
  checkedAtMs: null,
  error: null,
  unavailableSinceMs: null,
  about: '',
  nextCheckAtMs: 0,
};

/** The projection of a verified source; other sources have none. */
export interface VerificationProjection {
  /** The domain whose (app-)ads.txt lists the exchange with the source's id. */
  readonly domain: string;
}

/**
 * The verification of a supply source: whether its ads.txt or app-ads.txt names the exchange. Id: the source's.
 * Webhooks get an event when the outcome changes, not each day, and when the source has moved to the other environment.
 */
export const verification = defineActor({
  kind: 'verification',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'They are written by whoever reads ads.txt; asking for one changes nothing that anybody set.' },
  state: VerificationState,
  messages,
  initial: () => emptyVerification,
  handlers: { checked: takeIn },
  projection: ({ found }): VerificationProjection | null =>
    found?.kind === 'verified' ? { domain: found.domain } : null,
});

function takeIn(
  former: VerificationState,
  body: Checked,
  context: Context,
): Effects<VerificationState, VerificationState> {
  const { accountId, about, sandbox, atMs } = body;
  if (former.checkedAtMs !== null && atMs < former.checkedAtMs) return { reply: former };
  const known = former.about === about ? former : { ...emptyVerification, changedAtMs: former.changedAtMs };
  const nextCheckAtMs = atMs + DAY_MS - Math.floor(context.random() * SPREAD_MS);
  const checked = { ...known, accountId, about, checkedAtMs: atMs, nextCheckAtMs };

  const outcome = expired(known, body) ?? body.outcome;
  if (outcome.kind === 'unavailable') {
    const unavailableSinceMs = known.unavailableSinceMs ?? atMs;
    const state = { ...checked, error: outcome.error, unavailableSinceMs };
    return { state, reply: state };
  }
  const error = body.outcome.kind === 'unavailable' ? body.outcome.error : null;
  const unavailableSinceMs = error === null ? null : known.unavailableSinceMs;
  const changed = known.status !== outcome.kind;
  const moved = known.sandbox !== undefined && known.sandbox !== sandbox;
  const state: VerificationState = {
    ...checked,
    sandbox,
    status: outcome.kind,
    found: outcome,
    foundAtMs: atMs,
    changedAtMs: changed ? atMs : known.changedAtMs,
    error,
    unavailableSinceMs,
  };
  return { state, reply: state, sends: changed || moved ? [outcomeEvent(body, outcome, context)] : [] };
}

/** A file that could not be read for seven days counts as unreachable. */
function expired(known: VerificationState, { atMs, outcome }: Checked): VerificationOutcome | null {
  if (outcome.kind !== 'unavailable' || known.unavailableSinceMs === null) return null;
  if (atMs - known.unavailableSinceMs < EXPIRES_AFTER_MS) return null;
  return { kind: 'failed', domain: outcome.domain, fileUrl: outcome.fileUrl, reason: 'unreachable' };
}

function outcomeEvent(
  { accountId, partnerId, sandbox, publisherName, expectedLine, atMs }: Checked,
  outcome: Exclude<VerificationOutcome, { kind: 'unavailable' }>,
  context: Context,
): Send {
  const { id } = context;
  const about = { accountId, partnerId, sandbox, resource: `publisher/${id}` };
  const source = { publisher_id: id, publisher_name: publisherName, checked_at: new Date(atMs).toISOString() };
  if (outcome.kind === 'verified') {
    const { domain, fileUrl, relationship } = outcome;
    const data = { ...source, domain, file_url: fileUrl, relationship };
    return publishWebhookEvent({ ...about, type: 'publisher.verified', data }, context);
  }
  const { domain, fileUrl, reason } = outcome;
  const said = { domain, file_url: fileUrl, reason, message: failureMessages[reason], expected_line: expectedLine };
  return publishWebhookEvent(
    { ...about, type: 'publisher.verification_failed', data: { ...source, ...said } },
    context,
  );
}
