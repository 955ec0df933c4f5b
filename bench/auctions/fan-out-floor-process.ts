import { serveFloor } from '../http/floor-server.ts';
import { jobOf } from '../processes/child.ts';
import { type FloorClient, floorClients } from './floor-clients.ts';

/**
 * The floor: an auction without an exchange. A bare server parses the request, sends the same bytes to every bidder,
 * parses the responses and answers with the highest bid's.
 */
const { bidderPorts, client, tls } = jobOf<{ bidderPorts: number[]; client?: FloorClient; tls?: boolean }>();
const ask = floorClients(bidderPorts, client ?? 'undici', tls === true);

serveFloor((body, answerJson) => {
  let best: Buffer | null = null;
  let bestPrice = 0;
  let waiting = bidderPorts.length;
  ask(body, (answer) => {
    const { price } = JSON.parse(answer.toString()).seatbid[0].bid[0];
    if (price > bestPrice) {
      bestPrice = price;
      best = answer;
    }
    if (--waiting === 0) answerJson(best!);
  });
});
