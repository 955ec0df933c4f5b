import { ApiError } from '#gateways/errors';

/**
 * A position in the order of a feed, by log time and then by id: every event at or below it has been read. `<13 digits
 * of ms since the epoch> <event id>`; without an id, it stands before all events of that instant.
 */
export type FeedPosition = string;

const PLACE = /^\d{13} (?:(?:impression|win|creative)_[\w-]{1,64})?$/;

export function feedPositionAt(atMs: number): FeedPosition {
  return `${String(atMs).padStart(13, '0')} `;
}

export function timeOfPosition(position: FeedPosition): number {
  return Number(position.slice(0, 13));
}

const OF_CREATIVES = ':creatives';

/** The feed of the states of a demand source's creatives, beside its feed of wins and impressions. */
export function creativeFeedOf(feed: string): string {
  return feed + OF_CREATIVES;
}

function isOfCreatives(feed: string): boolean {
  return feed.endsWith(OF_CREATIVES);
}

/** Encodes a cursor, which is opaque to callers. It names the feed and is valid for no other. */
export function encodeCursor(feed: string, position: FeedPosition): string {
  return Buffer.from(`${feed} ${position}`).toString('base64url');
}

/**
 * Decodes a cursor. Throws INVALID_PARAMS for a text that is no cursor of this feed, and for one from before
 * `oldestMs`, whose events are gone.
 */
export function readCursor(cursor: string, feed: string, oldestMs: number): FeedPosition {
  const refuse = (why: string) => new ApiError('INVALID_PARAMS', `cursor ${why}`, 'cursor');
  const text = Buffer.from(cursor, 'base64url').toString();
  const space = text.indexOf(' ');
  const [feedOfCursor, position] = [text.slice(0, space), text.slice(space + 1)];
  if (space === -1 || !PLACE.test(position) || encodeCursor(feedOfCursor, position) !== cursor) {
    throw refuse('is none that a feed has answered.');
  }
  if (feedOfCursor.split(':')[0] !== feed.split(':')[0] || isOfCreatives(feedOfCursor) !== isOfCreatives(feed)) {
    throw refuse('is of another feed.');
  }
  if (feedOfCursor !== feed) {
    throw refuse('is of an environment that the demand source has left, or that was flushed: begin without one.');
  }
  if (timeOfPosition(position) < oldestMs) throw refuse('is older than what is kept: begin without one.');
  return position;
}
