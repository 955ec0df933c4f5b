import type { ExchangeClient } from '#client/index';
import { pause, systemTimer } from '../../async/pause.ts';
import { type CallerOptions, withClient } from '../api/connect.ts';
import { showOne } from '../api/run-operation.ts';
import { CommandFailed, EXIT, type Run } from '../definition.ts';
import { RequestedRun, type RunProgress, type ShownJob } from './requested-run.ts';

interface Options extends CallerOptions {
  readonly wait: number;
  readonly field?: string;
}

type NamedJob = ShownJob & Readonly<Record<string, unknown>>;

/** Well below the requests per minute that an account has. */
const LOOK_MS = 1_000;

export const run: Run<Options> = ({ args: [name], options }) =>
  withClient(
    options,
    async (client) => {
      const before = await readJob(client, name!);
      const { data: asked } = await client.post('/api/jobs/{name}/run', { params: { path: { name: name! } } });
      if (options.wait <= 0) return showOne(asked, {}, options);
      const requested = new RequestedRun(before ?? asked);
      const untilMs = performance.now() + options.wait * 1_000;
      for (;;) {
        const job = await readJob(client, name!);
        const progress: RunProgress = job === null ? { phase: 'waiting' } : requested.observe(job);
        if (progress.phase === 'done') return showOne(job!, {}, options);
        if (progress.phase === 'failed')
          throw new CommandFailed(`The job ${name} failed: ${progress.reason}`, EXIT.refused, 'JOB_FAILED');
        if (performance.now() >= untilMs) throw notInTime(name!, options.wait, progress);
        await pause(systemTimer, LOOK_MS);
      }
    },
    true,
  );

async function readJob(client: ExchangeClient, name: string): Promise<NamedJob | null> {
  const { data } = await client.get('/api/jobs');
  return data.jobs.find((job: NamedJob) => job.name === name) ?? null;
}

function notInTime(name: string, waitS: number, progress: RunProgress): CommandFailed {
  const state = progress.phase === 'running' ? `runs since ${progress.startedAt}` : 'has not begun';
  return new CommandFailed(
    `The run of ${name} that was asked for ${state}, and has not ended within ${waitS} s: exchange jobs list shows when it has.`,
    EXIT.unavailable,
    'NOT_IN_TIME',
  );
}
