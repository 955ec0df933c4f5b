import { mutated, randomOf } from './mutated.ts';
import { READERS } from './readers.ts';

const SEED = 2_026;
const INPUTS = 150;

describe('what reads the words of others', () => {
  for (const [name, { samples, read }] of Object.entries(READERS)) {
    it(`reads samples and what is made of them without a failure: ${name}`, async () => {
      for (const sample of samples) await read(sample);
      for (let number = 0; number < INPUTS; number++) await read(mutated(samples, randomOf(SEED, number)));
    });
  }
});
