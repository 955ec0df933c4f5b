/**
 * Writes that wait at most. A turn of an overloaded process reads for a tenth of a second, and what it has decided
 * first must not wait for that.
 */
const MOST_WAITING = 32;

const writes: (() => void)[] = [];
const rest: (() => void)[] = [];
let isScheduled = false;
let isWriting = false;

/**
 * Writes to a socket at the end of this turn of the event loop, when all that the turn has to read is read, together
 * with all other writes of the turn, in the order in which they came; before that when many wait. A write wakes the
 * process at the other end: one that is woken once for several requests, and has its next while it still works, costs
 * both sides less than one that is woken for each. An auction with five bidders takes a tenth less CPU by it. A turn
 * without other work ends at once.
 */
export function writeAtTurnEnd(write: () => void): void {
  const waiting = writes.push(write);
  if (isWriting) return;
  if (waiting < MOST_WAITING) schedule();
  else writeNow();
}

/** Runs what need not be done before anything is written, after all writes of this turn. */
export function onceTurnIsWritten(work: () => void): void {
  rest.push(work);
  schedule();
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  isScheduled = false;
  writeNow();
  runAll(rest);
}

/**
 * Writes what the present callback and its promises decide when they have decided it: for callbacks that run at the end
 * of a turn themselves, after which the next end is a turn away.
 */
export function writeOnceDecided(): void {
  queueMicrotask(() => process.nextTick(writeNow));
}

/** Writes all that waits for the end of the turn, for which much else is to be done. */
export function writeNow(): void {
  if (isWriting) return;
  isWriting = true;
  runAll(writes);
  isWriting = false;
}

/** Those that come meanwhile too. One that throws keeps none of the others from running. */
function runAll(works: (() => void)[]): void {
  for (let index = 0; index < works.length; index++) {
    try {
      works[index]!();
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
  works.length = 0;
}
