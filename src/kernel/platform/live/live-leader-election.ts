import type { LiveMessage } from './live-message.ts';

/** Callbacks with which tabs share one connection. */
export interface LiveLeaderElection {
  readonly name: string;
  readonly signal: AbortSignal;
  /** Runs in one tab at a time, or in every visible tab where tabs cannot coordinate; `pass` sends a message to the other tabs. */
  readonly lead: (pass: (message: LiveMessage) => void, signal: AbortSignal) => Promise<void>;
  /** Receives each message the leading tab has passed on. */
  readonly follow: (message: LiveMessage) => void;
  /** Message the leading tab sends to a tab that joins; `undefined` while it has nothing to send. */
  readonly greeting: () => LiveMessage | undefined;
}

type Letter = { readonly joins: true } | { readonly greeting: LiveMessage } | { readonly message: LiveMessage };

/** Shares one connection among tabs: a browser allows six connections per host, so one per tab would leave none for requests. */
export function shareTabs(share: LiveLeaderElection): void {
  const locks = (navigator as { locks?: LockManager }).locks;
  if (!locks || typeof BroadcastChannel === 'undefined') void leadWhileVisible(share);
  else leadInTurn(share, locks);
}

function leadInTurn({ name, signal, lead, follow, greeting }: LiveLeaderElection, locks: LockManager): void {
  const channel = new BroadcastChannel(name);
  const post = (letter: Letter) => channel.postMessage(letter);
  let isLeading = false;
  channel.onmessage = ({ data }: MessageEvent<Letter>) => {
    const welcome = isLeading && 'joins' in data ? greeting() : undefined;
    if (welcome) post({ greeting: welcome });
    if (!isLeading && 'message' in data) follow(data.message);
    if (!isLeading && 'greeting' in data && !greeting()) follow(data.greeting);
  };
  signal.addEventListener('abort', () => channel.close(), { once: true });
  post({ joins: true });
  locks
    .request(name, { signal }, async () => {
      isLeading = true;
      await lead((message) => signal.aborted || post({ message }), signal);
    })
    .catch(() => undefined); // Aborting the signal ends the wait for the lock.
}

/** Tabs on plain HTTP cannot coordinate. Each reads for itself while it is visible and resumes when it becomes visible again. */
async function leadWhileVisible({ signal, lead }: LiveLeaderElection): Promise<void> {
  while (!signal.aborted) {
    await visibility('visible', signal);
    const turn = new AbortController();
    const hidden = visibility('hidden', AbortSignal.any([signal, turn.signal])).then(() => turn.abort());
    await lead(() => undefined, AbortSignal.any([signal, turn.signal]));
    if (!turn.signal.aborted) return turn.abort();
    await hidden;
  }
}

function visibility(wanted: DocumentVisibilityState, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const emitVisibility = () => {
      if (document.visibilityState !== wanted && !signal.aborted) return;
      document.removeEventListener('visibilitychange', emitVisibility);
      signal.removeEventListener('abort', emitVisibility);
      resolve();
    };
    document.addEventListener('visibilitychange', emitVisibility);
    signal.addEventListener('abort', emitVisibility);
    emitVisibility();
  });
}
