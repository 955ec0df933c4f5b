import { LOCAL_CERTIFICATE } from '../../test/support/local-certificate.ts';
import { type Handle, listenBare } from '../http/bare-server.ts';
import { listenHttp2 } from '../http/http2-server.ts';
import { jobOf, sendToParent } from '../processes/child.ts';
import { bidderAnswers } from './documents.ts';

/**
 * Runs bidders that answer at once, over TLS where `tls` says so, and HTTP/2 alone where `http2` does. Sends its ports,
 * then the number of requests so far for each message of the parent.
 */
const { bidders, tls, http2 } = jobOf<{ bidders: number; tls?: boolean; http2?: boolean }>();
let requests = 0;
const ports: number[] = [];
for (let index = 0; index < bidders; index++) {
  const answerOf = bidderAnswers(index);
  const handle: Handle = (body, answer) => {
    requests += 1;
    answer(answerOf(body));
  };
  const port = http2
    ? await listenHttp2(handle, LOCAL_CERTIFICATE)
    : (await listenBare(handle, tls ? LOCAL_CERTIFICATE : null)).port;
  ports.push(port);
}
process.on('message', () => sendToParent({ requests }));
sendToParent({ ports });
