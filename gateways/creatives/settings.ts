import type { OwnEndpoints } from '../http/own-endpoints.ts';
/** Bounds of the fetches of creatives, and how long a fetched content counts as fresh. */
export interface CreativeSettings {
  /** Whether creatives may be on loopback, private or link-local addresses. */
  readonly allowPrivateNetworks: boolean;
  /** Endpoints of the exchange itself, which no creative may lead to, whatever their address; absent: none. */
  readonly ownEndpoints?: OwnEndpoints;
  /** Whether every URL must be https (specification, "Creative specifications"). */
  readonly httpsOnly: boolean;
  /**
   * Time limit in ms from the creative's URL to its document, through all redirects and wrappers, or to an image, or to
   * the first byte of a video or audio file.
   */
  readonly loadMs: number;
  /** Time limit in ms from the first byte of a video or audio file to its last. */
  readonly transferMs: number;
  /** Time limit in ms of all fetches for one saved campaign or strategy, and of all files of one refreshed asset. */
  readonly saveMs: number;
  readonly maxDocumentBytes: number;
  readonly maxImageBytes: number;
  /** Length of a video or audio file at most. It is far above the recommended length, which only warns. */
  readonly maxMediaBytes: number;
  /** Length of all files of one ad together at most. */
  readonly maxAdBytes: number;
  /** Characters of the contents of all assets of one campaign or strategy at most: each edge holds them in memory. */
  readonly maxContentCharacters: number;
  /** Characters of content that one process fetches for one account in a day at most. */
  readonly maxContentCharactersPerDay: number;
  /** Bytes of files that one process fetches for one account in a day at most. */
  readonly maxFileBytesPerDay: number;
  /** Length of all files that the exchange hosts, in its folder or bucket, at most. */
  readonly maxStoredBytes: number;
  /**
   * No file is fetched while the disk of the staging folder has less free space: the log and other files on it need the
   * space.
   */
  readonly diskReserveBytes: number;
  /** URLs that are loaded at once for one account, over all its saves. */
  readonly loadsAtOnce: number;
  /** A fetched content counts as fresh for this many ms. */
  readonly refreshMs: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_CREATIVE_SETTINGS: CreativeSettings = {
  allowPrivateNetworks: false,
  httpsOnly: true,
  loadMs: 1_500,
  transferMs: 20_000,
  saveMs: 60_000,
  maxDocumentBytes: MIB,
  maxImageBytes: 10 * MIB,
  maxMediaBytes: 200 * MIB,
  maxAdBytes: 500 * MIB,
  maxContentCharacters: 64_000_000,
  maxContentCharactersPerDay: 512_000_000,
  maxFileBytesPerDay: 50 * 1024 * MIB,
  maxStoredBytes: 100 * 1024 * MIB,
  diskReserveBytes: 1024 * MIB,
  loadsAtOnce: 32,
  refreshMs: 24 * 3_600_000,
};
