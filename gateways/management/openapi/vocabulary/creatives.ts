import type { Words } from './word-table.ts';

/** The fields of creatives and of decisions about them. */
export const creativeFieldVocabulary = {
  decision: ['`block`: it is not shown. `approve`: modes admit it.', 'block'],
  decided_at: ['When it was decided, in UTC.', '2026-03-14T09:26:53.589Z'],
  first_seen_at: ['When the first auction with it was told, in UTC.', '2026-03-14T09:26:53.589Z'],
  last_seen_at: ['When the last auction with it was told, in UTC.', '2026-03-15T08:00:00.000Z'],
  scanned_at: ['When the last scan ended; null before the first.', '2026-03-14T09:27:10.000Z'],
  next_scan_at: ['When the next scan is due.', '2026-03-21T09:27:10.000Z'],
  code: ['A word that programs go by.'],
  comment: ['What somebody wrote about it.', 'Redirects to a shop by itself'],
  findings: ['What the last scan found.'],
  report: ['What the scan measured; null before the first.'],
  use: ['`media`: it is played. `image`: it is the ad. `companion`: it is shown beside.'],
  container: ["The file's form, as MediaInfo names it; null where it is not known.", 'MPEG-4'],
  duration_ms: ['How many milliseconds it plays; null where that is not known.', 30_000],
  bitrate_kbps: ['Kilobits a second of the whole file; null where that is not known.', 2_000],
  width: ['Pixels; null where that is not known.', 1_280],
  height: ['Pixels; null where that is not known.', 720],
  cause: ['What the state comes from; null where nothing is against it and nothing decided.'],
  policies: ['What may be shown without a decision, by scope.'],
  declared: ['What the demand source says of its creatives (`creatives`).', 'auto'],
  fingerprint: ['Of the markup; null where the markup differs in every auction.', '0c3f6a1be2d94f7085b1a6c7d8e9f001'],
} satisfies Words;
