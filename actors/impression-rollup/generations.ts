import type { RollupRow } from '../tally/state.ts';

type Generations = Pick<RollupRow, 'publisherGeneration' | 'dspGeneration'>;

/** Those that are there: of what is live neither is. */
export function generations({ publisherGeneration, dspGeneration }: Generations): Generations {
  return {
    ...(publisherGeneration === undefined ? {} : { publisherGeneration }),
    ...(dspGeneration === undefined ? {} : { dspGeneration }),
  };
}
