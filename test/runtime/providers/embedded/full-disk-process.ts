import { START } from '#runtime/ports/position';
import type { ActorDocument } from '#runtime/ports/store';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';

/**
 * A process that writes until the disk takes no more, makes room by trimming, and goes on: `<folder>`.
 * Prints what it met as JSON.
 */
const [folder] = process.argv.slice(2) as [string];
const { log: provider, store, close } = await openEmbedded({ folder, partitions: 4, clock: systemClock });
const { log, leases } = provider;

const outcome = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: Error) => `${error.name}${error.cause instanceof Error ? ' with its cause' : ''}`,
  );

/**
 * An entry's and a document's: so many that the room left by the first that is refused takes the few pages of a trim.
 */
const CHARACTERS = 1_000_000;

const document: ActorDocument = {
  kind: 'thing',
  id: 'a',
  partition: 0,
  version: 1,
  writer: 'w1',
  position: '0-0',
  schema: 1,
  deleted: false,
  state: { text: 'y'.repeat(CHARACTERS) },
  outbox: [],
  viewPending: false,
  received: {},
  replies: {},
  published: null,
};

let appended = 0;
let refused = '';
while (refused === '' && appended < 1000) {
  const answer = await outcome(log.append(0, [`${appended} ${'x'.repeat(CHARACTERS)}`]));
  if (answer === 'done') appended += 1;
  else refused = answer;
}
const save = await outcome(store.save([document]));
const known = (await log.read(new Map([[0, START]]), 10_000, 0)).get(0)!;
const tail = await log.tail(0);
const [acquired] = await leases.acquire([0], 'owner', 60_000);
const trimmed = await leases.commit(acquired!.lease, known.at(-2)!.position);
const recovered = [await outcome(log.append(0, ['afterwards'])), await outcome(store.save([document]))];
await close();
process.stdout.write(
  JSON.stringify({ appended, refused, save, known: known.length, length: tail.length, trimmed, recovered }),
);
