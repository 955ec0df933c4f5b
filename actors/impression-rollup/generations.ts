import type { RollupRow } from './state.ts';

type Generations = Pick<RollupRow, 'publisherGeneration' | 'dspGeneration'>;

/** The generations that are set: live impressions have none. */
export function generations({ publisherGeneration, dspGeneration }: Generations): Generations {
  return {
    ...(publisherGeneration === undefined ? {} : { publisherGeneration }),
    ...(dspGeneration === undefined ? {} : { dspGeneration }),
  };
}
