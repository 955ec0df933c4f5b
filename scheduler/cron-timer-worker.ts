import { parentPort } from 'node:worker_threads';

// A thread that Bree starts at a job's date. The thread only sends a wake-up call: the job itself runs where actors can
// be reached.
parentPort?.postMessage('due');
