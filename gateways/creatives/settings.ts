import type { OwnEndpoints } from '../http/own-endpoints.ts';
/** Bounds of what is fetched of a creative, and how long it counts as fresh. */
export interface CreativeSettings {
  /** Whether creatives may be on loopback, private or link-local addresses. */
  readonly allowPrivateNetworks: boolean;
  /** Where none of them leads, whatever its address; absent: nowhere. */
  readonly ownEndpoints?: OwnEndpoints;
  /** Whether everything that is loaded must be served over https (specification, "Creative specifications"). */
  readonly httpsOnly: boolean;
  /** From the creative's URL to its document, through all redirects and wrappers; or to an image; or until a file begins. */
  readonly loadMs: number;
  /** From when a video or audio file begins to its end. */
  readonly transferMs: number;
  /** All that one campaign or strategy names, together; and of one asset that is fetched again, all that it is made of. */
  readonly saveMs: number;
  readonly maxDocumentBytes: number;
  readonly maxImageBytes: number;
  /** Of a video or audio file. Far above what is recommended, since that only warns. */
  readonly maxMediaBytes: number;
  /** Of all files of one ad. */
  readonly maxAdBytes: number;
  /** Of the contents of all assets of one campaign or strategy: every edge holds them in memory. */
  readonly maxContentCharacters: number;
  /** Of one account, by each process's own count: of contents, and of the files that they are made of. */
  readonly maxContentCharactersPerDay: number;
  readonly maxFileBytesPerDay: number;
  /** Of all files that the exchange hosts, in its folder or bucket. */
  readonly maxStoredBytes: number;
  /** Free space on the disk of files on their way below which none is fetched: what else lives there, the log first, needs it. */
  readonly diskReserveBytes: number;
  /** URLs that are loaded at once for one account, whatever it saves. */
  readonly loadsAtOnce: number;
  /** How long what was fetched is relied on. */
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
