import type { MessageLog } from '../../runtime/ports/log.ts';

/** What edges need of a log for impressions and for marks on them: the log at home, or their region's. */
export type ImpressionLog = Pick<MessageLog, 'partitions' | 'appendOnce' | 'markOnce' | 'tail'>;
