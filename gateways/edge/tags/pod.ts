import type { Video } from '#exchange/openrtb/fields/video-audio';
import type { VastPlayer } from '#exchange/vast/player';
import { takesPods } from '#exchange/vast/pod';
import { ApiError } from '../../errors.ts';
import { withoutUndefined } from './defined.ts';
import type { TagQuery } from './query.ts';

/** Fields that only the dynamic portion of a pod has (OpenRTB 2.6 §7.6.2). */
const OF_DYNAMIC_PODS = ['maxseq'];
/** Highest value in AdCOM 1.0, Lists: Pod Sequence, Slot Position in Pod, Pod Deduplication Settings. */
const SETTINGS = 3;

type PodFields = Pick<
  Video,
  'poddur' | 'maxseq' | 'podid' | 'podseq' | 'slotinpod' | 'mincpmpersec' | 'poddedupe' | 'rqddurs'
>;

/** Whether a tag asks for several ads at once, which are answered as one pod. */
export function asksForPod(query: TagQuery): boolean {
  return query.integer('poddur', 1) !== undefined;
}

/** The fields of a tag's place in a pod; none where it is in no pod. */
export function podFieldsOf(query: TagQuery, player: VastPlayer): PodFields {
  const poddur = query.integer('poddur', 1);
  if (poddur === undefined) {
    const foreign = OF_DYNAMIC_PODS.find((parameter) => query.text(parameter) !== undefined);
    if (foreign !== undefined) {
      throw new ApiError('INVALID_PARAMS', `${foreign} is of a pod: give its length, poddur.`, foreign);
    }
  } else if (!takesPods(player)) {
    throw new ApiError('INVALID_PARAMS', 'Pods came with VAST 3.0: version must name a later one.', 'version');
  }
  return withoutUndefined({
    poddur,
    maxseq: query.integer('maxseq', 1),
    podid: query.text('podid'),
    podseq: query.integer('podseq', -1, 1),
    slotinpod: query.integer('slotinpod', -1, 2),
    mincpmpersec: query.cpm('mincpmpersec'),
    poddedupe: query.integers('poddedupe', 0, SETTINGS),
    rqddurs: query.integers('rqddurs', 1),
  }) as PodFields;
}
