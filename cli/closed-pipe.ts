import { constants } from 'node:os';

/** The exit code of a process that wrote into a pipe which nobody reads any more, as shells show it for SIGPIPE. */
const EXIT_CLOSED_PIPE = 128 + constants.signals.SIGPIPE;

/**
 * Ends this process without a word when the reader of its output has closed the pipe, as in `exchange … | head -1`.
 * Node ignores SIGPIPE, which ends other programs then.
 */
export function endAtClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(EXIT_CLOSED_PIPE);
    });
  }
}
