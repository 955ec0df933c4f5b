import { Counter, Gauge, type Registry } from 'prom-client';

/** What is known of a job's runs, ms since the epoch; null: none. */
export interface JobDates {
  readonly job: string;
  /** When its last run that did not fail ended. */
  readonly succeededMs: number | null;
  /** Its oldest date without a finished run; in the past while a run is owed, or fails. */
  readonly dueMs: number | null;
}

/** The metrics of the scheduler for Prometheus. */
export class SchedulerMetrics {
  readonly runs: Counter<'job_name' | 'outcome'>;
  readonly missedTimers: Counter<'job_name'>;
  readonly isLeader: Gauge;
  /** Answers the dates of all jobs that are known; none while another process is the leader. */
  jobDates: () => readonly JobDates[] = () => [];

  constructor(registry: Registry) {
    const registers = [registry];
    this.runs = new Counter({
      name: 'scheduler_runs_total',
      help: 'Runs of jobs in this process, by how they ended: done or failed',
      labelNames: ['job_name', 'outcome'],
      registers,
    });
    this.missedTimers = new Counter({
      name: 'scheduler_missed_rings_total',
      help: 'Dates of jobs at which the alarm of this process did not ring; their runs began late',
      labelNames: ['job_name'],
      registers,
    });
    this.isLeader = new Gauge({
      name: 'scheduler_holds_right',
      help: '1 while this process has the right to run jobs',
      registers,
    });
    const dates = (name: string, help: string, field: 'succeededMs' | 'dueMs') => {
      const known = () => this.jobDates();
      new Gauge({
        ...{ name, help, registers, labelNames: ['job_name'] },
        collect() {
          this.reset();
          for (const { job, [field]: atMs } of known()) if (atMs !== null) this.set({ job_name: job }, atMs / 1000);
        },
      });
    };
    dates(
      'scheduler_job_last_success_timestamp_seconds',
      'When the last run of a job that did not fail ended, whichever process it ran in; told by the leader',
      'succeededMs',
    );
    dates(
      'scheduler_job_due_timestamp_seconds',
      'The oldest date of a job without a finished run, whichever run makes up for it: the longer it is past, the longer a run is owed; told by the leader',
      'dueMs',
    );
  }
}
