import type { Hour } from './hour.ts';
import { dataFile, type LogEvent, partFile, type Side } from './layout.ts';
import { type BilledSums, sameBilled } from './money-sums.ts';
import type { ParkedEvent } from './parked.ts';
import { instant } from './rows/row-fields.ts';
import type { StagedFile } from './staged-files.ts';

/** Sums of impressions as a manifest states them: whole nano-dollars in decimal, for readers without 64-bit numbers. */
export interface StatedSums {
  readonly impressions: number;
  readonly price_nanos: string;
  /** Of publishers alone. */
  readonly fee_nanos?: string;
  readonly payout_nanos?: string;
}

export interface ManifestFile {
  readonly event: LogEvent;
  /** The file's name without its folder. */
  readonly file: string;
  /** The name below the destination. */
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** The manifest of one source and hour. All files that it names exist. */
export interface SourceManifest {
  readonly version: 1;
  readonly hour: string;
  readonly side: Side;
  readonly id: string;
  /** Whether the rows are the money of the ledger's page of the hour, to the nano-dollar. */
  readonly complete: boolean;
  readonly logged: StatedSums;
  readonly ledger: StatedSums;
  readonly files: readonly ManifestFile[];
}

/** The manifest of an hour, written after all files and all manifests of sources. */
export interface HourManifest {
  readonly version: 1;
  readonly hour: string;
  readonly complete: boolean;
  readonly logged: StatedSums;
  readonly ledger: StatedSums;
  readonly rows: Readonly<Record<string, number>>;
  readonly files: number;
  readonly bytes: number;
  readonly sources: readonly { readonly side: Side; readonly id: string; readonly complete: boolean }[];
  /** Messages of the hour that no actor could handle when the hour was written. */
  readonly parked: readonly ParkedEvent[];
}

/** One source's sums: of its rows, and of its ledger. */
export interface ComparedSource {
  readonly side: Side;
  readonly id: string;
  readonly logged: Readonly<BilledSums>;
  readonly ledger: Readonly<BilledSums>;
}

export function sourceManifest(
  { side, id, logged, ledger }: ComparedSource,
  hour: Hour,
  files: readonly StagedFile[],
): SourceManifest {
  return {
    version: 1,
    hour: instant(hour.startMs),
    side,
    id,
    complete: sameBilled(logged, ledger),
    logged: statedSums(side, logged),
    ledger: statedSums(side, ledger),
    files: files.map(({ partition, part, rows, bytes, sha256 }) => ({
      ...{ event: partition.event, file: partFile(part), path: dataFile(partition, hour, part) },
      ...{ rows, bytes, sha256 },
    })),
  };
}

export function hourManifest(
  hour: Hour,
  platform: Pick<ComparedSource, 'logged' | 'ledger'>,
  sources: readonly ComparedSource[],
  files: readonly StagedFile[],
  parked: readonly ParkedEvent[],
): HourManifest {
  const compared = sources.map(({ side, id, logged, ledger }) => ({ side, id, complete: sameBilled(logged, ledger) }));
  const rows: Record<string, number> = {};
  for (const { partition, rows: more } of files) {
    const name = `${partition.event} ${partition.side}`;
    rows[name] = (rows[name] ?? 0) + more;
  }
  return {
    version: 1,
    hour: instant(hour.startMs),
    complete: sameBilled(platform.logged, platform.ledger) && compared.every(({ complete }) => complete),
    logged: statedSums('publisher', platform.logged),
    ledger: statedSums('publisher', platform.ledger),
    rows,
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    sources: compared,
    parked,
  };
}

function statedSums(side: Side, { impressions, grossNanos, feeNanos }: Readonly<BilledSums>): StatedSums {
  const stated = { impressions, price_nanos: String(grossNanos) };
  if (side === 'dsp') return stated;
  return { ...stated, fee_nanos: String(feeNanos), payout_nanos: String(grossNanos - feeNanos) };
}
