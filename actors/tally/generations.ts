import type { TallyRow } from './state.ts';

type Generations = Pick<TallyRow, 'publisherGeneration' | 'dspGeneration'>;

/** Those that are there: of what is live neither is. */
export function generations({ publisherGeneration, dspGeneration }: Generations): Generations {
  return {
    ...(publisherGeneration === undefined ? {} : { publisherGeneration }),
    ...(dspGeneration === undefined ? {} : { dspGeneration }),
  };
}
