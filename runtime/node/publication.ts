import type { Send } from '../actor/context.ts';
import type { DeadLetter } from '../ports/store.ts';
import type { Activation } from './activation.ts';
import { encodeEnvelope } from './envelope.ts';
import type { NodeParts } from './node-parts.ts';
import { isLetter } from './outbox-letter.ts';

/**
 * Publishes all that saved states have caused: outboxes (law 5) with the dead letters in them (law 10), totals of lazy
 * actors (law 8) and views (law 11).
 *
 * Messages to one partition go in one append, in the order of their causes, so that a receiver's "last sequence had"
 * is all it needs to know a repetition. Any failure fails the whole call: nobody goes on until the document has been
 * loaded again and all of it published again.
 */
export async function publishCaused(parts: NodeParts, activations: Iterable<Activation>): Promise<void> {
  const byPartition = new Map<number, string[]>();
  const views: string[] = [];
  const letters: DeadLetter[] = [];
  const told: (() => void)[] = [];

  const add = (to: string, payload: string) => {
    const partition = parts.kinds.partitionOf(to);
    const payloads = byPartition.get(partition);
    if (payloads) payloads.push(payload);
    else byPartition.set(partition, [payload]);
  };

  for (const activation of activations) {
    for (const message of activation.outbox) {
      const { to, type, body, sequence } = message;
      if (isLetter(message)) letters.push(body as DeadLetter);
      else add(to, encodeEnvelope({ to, type, body, from: activation.address, sequence }));
    }
    for (const total of activation.unpublishedTotals()) add(total.to, encodeTotal(total));
    if (activation.viewPending) {
      const text = activation.viewText();
      const { kind, schemaVersion } = activation.kind.definition;
      const address = `${JSON.stringify(kind)},${JSON.stringify(activation.id)}`;
      views.push(`[${address},${activation.version},${text},${schemaVersion}]`);
      told.push(() => activation.viewTold(text));
    }
  }

  const { log, catalogue } = parts.provider;
  const publications: Promise<unknown>[] = [];
  for (const [partition, payloads] of byPartition) publications.push(log.append(partition, payloads));
  if (views.length > 0) publications.push(catalogue.publish(views));
  if (letters.length > 0) publications.push(parts.store.park(letters));
  const results = await Promise.allSettled(publications);
  for (const result of results) if (result.status === 'rejected') throw result.reason;

  for (const tell of told) tell();
  for (const activation of activations) {
    activation.outbox = [];
    activation.totalsTold();
  }
}

/** Totals carry no sequence: a receiver keeps the newest, however often and in whatever order they come. */
function encodeTotal({ to, type, body }: Send): string {
  return encodeEnvelope({ to, type, body });
}
