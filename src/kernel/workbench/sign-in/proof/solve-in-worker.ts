import type { WorkChallenge } from '#shared/auth';
import type { WorkReport } from './work.ts';

/** Solves a challenge in a worker; resolves with the code the server accepts in place of the picture's. The signal stops the worker. */
export function solveInWorker(challenge: WorkChallenge, onProgress: (fraction: number) => void, signal: AbortSignal): Promise<string> {
  const worker = new Worker(/* webpackChunkName: 'proof-of-work' */ new URL('./work-worker.ts', import.meta.url));
  return new Promise<string>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    worker.onerror = () => reject(new Error('The worker has failed'));
    worker.onmessage = ({ data }: MessageEvent<WorkReport>) => {
      if ('fraction' in data) onProgress(data.fraction);
      else if ('number' in data) resolve(codeOf(challenge, data.number));
      else reject(new Error('The challenge has no solution'));
    };
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}

/** Encodes a solution in the format of ALTCHA. */
function codeOf({ algorithm, challenge, salt, signature }: WorkChallenge, number: number): string {
  return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
}
