import { discardDeadLetter } from './discard.ts';
import { listDeadLetters } from './list.ts';
import { replayDeadLetter } from './replay.ts';

export const deadLetterRoutes = [listDeadLetters, discardDeadLetter, replayDeadLetter];
