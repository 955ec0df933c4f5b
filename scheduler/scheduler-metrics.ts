import { Counter, Gauge, type Registry } from 'prom-client';

/** The metrics of the scheduler for Prometheus. */
export class SchedulerMetrics {
  readonly runs: Counter<'job' | 'outcome'>;
  readonly missedTimers: Counter<'job'>;
  readonly isLeader: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.runs = new Counter({
      name: 'scheduler_runs_total',
      help: 'Runs of jobs in this process, by how they ended: done or failed',
      labelNames: ['job', 'outcome'],
      registers,
    });
    this.missedTimers = new Counter({
      name: 'scheduler_missed_rings_total',
      help: 'Dates of jobs at which the alarm of this process did not ring; their runs began late',
      labelNames: ['job'],
      registers,
    });
    this.isLeader = new Gauge({
      name: 'scheduler_holds_right',
      help: '1 while this process has the right to run jobs',
      registers,
    });
  }
}
