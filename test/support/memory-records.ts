import { LogUnavailable } from '#runtime/ports/errors';
import type { SharedRecord, SharedRecords } from '#runtime/ports/shared-records';

/** What becomes of a change: its answer comes, is lost after the change, or nothing was changed. */
export type RecordFate = 'answered' | 'answer-lost' | 'lost';

/** Shared records in memory, which lose what they are told to. */
export class MemoryRecords implements SharedRecords {
  readonly groups = 2;
  readonly texts = new Map<string, SharedRecord>();
  fate: () => RecordFate = () => 'answered';
  #versions = 0;

  async read(id: string): Promise<SharedRecord | null> {
    await Promise.resolve();
    if (this.fate() === 'lost') throw new LogUnavailable('lost');
    return this.texts.get(id) ?? null;
  }

  async replace(id: string, before: string | null, text: string | null): Promise<boolean> {
    await Promise.resolve();
    const fate = this.fate();
    if (fate === 'lost') throw new LogUnavailable('lost');
    const isAsBefore = (this.texts.get(id)?.version ?? null) === before;
    if (isAsBefore && text === null) this.texts.delete(id);
    else if (isAsBefore) this.texts.set(id, { version: `${++this.#versions}`, text: text! });
    if (fate === 'answer-lost') throw new LogUnavailable('it is not known whether it was replaced');
    return isAsBefore;
  }

  async list(group: number): Promise<(SharedRecord & { readonly id: string })[]> {
    await Promise.resolve();
    if (this.fate() === 'lost') throw new LogUnavailable('lost');
    return [...this.texts].filter(([id]) => id.length % this.groups === group).map(([id, kept]) => ({ id, ...kept }));
  }
}
