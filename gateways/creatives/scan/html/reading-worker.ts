import { parentPort } from 'node:worker_threads';
import type { ThreadAnswer, ThreadQuestion } from '../../bounded-thread.ts';
import type { ReadingQuestion } from './markup-reader.ts';
import { type HtmlReading, readHtml, readLoadedScript } from './read-html.ts';

// Markup is read in this thread, since nobody says how long what others wrote takes to be read.
parentPort?.on('message', ({ id, question: { kind, text } }: ThreadQuestion<ReadingQuestion>) => {
  const answer = kind === 'html' ? readHtml(text) : readLoadedScript(text);
  parentPort?.postMessage({ id, answer } satisfies ThreadAnswer<HtmlReading>);
});
