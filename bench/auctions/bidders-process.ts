import { listenBare } from '../http/bare-server.ts';
import { jobOf, sendToParent } from '../processes/child.ts';
import { bidderAnswers } from './documents.ts';

/**
 * Runs bidders that answer at once. Sends its ports, then the number of requests so far for each message of the parent.
 */
const { bidders } = jobOf<{ bidders: number }>();
let requests = 0;
const ports: number[] = [];
for (let index = 0; index < bidders; index++) {
  const answerOf = bidderAnswers(index);
  const { port } = await listenBare((body, answer) => {
    requests += 1;
    answer(answerOf(body));
  });
  ports.push(port);
}
process.on('message', () => sendToParent({ requests }));
sendToParent({ ports });
