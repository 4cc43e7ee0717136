import type { LiveMessage } from './live-message.ts';

/** Options of the leader election: one tab holds the connection and broadcasts its messages to the others. */
export interface LeaderElectionOptions {
  readonly name: string;
  readonly signal: AbortSignal;
  /** Runs in one tab at a time, or in every visible tab where tabs cannot coordinate; `broadcast` sends a message to the other tabs. */
  readonly lead: (broadcast: (message: LiveMessage) => void, signal: AbortSignal) => Promise<void>;
  /** Receives each message that the leading tab broadcasts. */
  readonly onMessage: (message: LiveMessage) => void;
  /** Returns the message that the leading tab sends to a tab that joins; undefined while it has nothing to send. */
  readonly snapshot: () => LiveMessage | undefined;
}

type ChannelMessage = { readonly joins: true } | { readonly greeting: LiveMessage } | { readonly message: LiveMessage };

/** Shares one connection among tabs: a browser allows six connections per host, so one per tab would leave none for requests. */
export function electLeader(options: LeaderElectionOptions): void {
  const locks = (navigator as { locks?: LockManager }).locks;
  if (!locks || typeof BroadcastChannel === 'undefined') void leadWhileVisible(options);
  else leadWithLock(options, locks);
}

function leadWithLock({ name, signal, lead, onMessage, snapshot }: LeaderElectionOptions, locks: LockManager): void {
  const channel = new BroadcastChannel(name);
  const post = (message: ChannelMessage) => channel.postMessage(message);
  let isLeading = false;
  channel.onmessage = ({ data }: MessageEvent<ChannelMessage>) => {
    const greeting = isLeading && 'joins' in data ? snapshot() : undefined;
    if (greeting) post({ greeting });
    if (!isLeading && 'message' in data) onMessage(data.message);
    if (!isLeading && 'greeting' in data && !snapshot()) onMessage(data.greeting);
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

/** Tabs on plain HTTP cannot coordinate, so each holds its own connection while it is visible. */
async function leadWhileVisible({ signal, lead }: LeaderElectionOptions): Promise<void> {
  while (!signal.aborted) {
    await waitForVisibility('visible', signal);
    const visiblePeriod = new AbortController();
    const hidden = waitForVisibility('hidden', AbortSignal.any([signal, visiblePeriod.signal])).then(() => visiblePeriod.abort());
    await lead(() => undefined, AbortSignal.any([signal, visiblePeriod.signal]));
    if (!visiblePeriod.signal.aborted) return visiblePeriod.abort();
    await hidden;
  }
}

function waitForVisibility(expected: DocumentVisibilityState, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const resolveWhenReached = () => {
      if (document.visibilityState !== expected && !signal.aborted) return;
      document.removeEventListener('visibilitychange', resolveWhenReached);
      signal.removeEventListener('abort', resolveWhenReached);
      resolve();
    };
    document.addEventListener('visibilitychange', resolveWhenReached);
    signal.addEventListener('abort', resolveWhenReached);
    resolveWhenReached();
  });
}
