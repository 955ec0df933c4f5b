import { endAtClosedPipe } from './closed-pipe.ts';
import { runProgram } from './program.ts';

endAtClosedPipe();
await runProgram(process.argv.slice(2));
