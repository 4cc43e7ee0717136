import type { LiveMessage } from './live-message.ts';

/** How tabs share one connection. */
export interface TabShare {
  readonly name: string;
  readonly signal: AbortSignal;
  /** Runs in one tab at a time, and where tabs cannot agree in every tab that is looked at; `pass` tells the others. */
  readonly lead: (pass: (message: LiveMessage) => void, signal: AbortSignal) => Promise<void>;
  /** What the leading tab has passed on. */
  readonly follow: (message: LiveMessage) => void;
  /** What the leading tab tells one that joins; nothing while it knows nothing itself. */
  readonly greeting: () => LiveMessage | undefined;
}

type Letter = { readonly joins: true } | { readonly greeting: LiveMessage } | { readonly message: LiveMessage };

/** A browser allows an address six connections at a time; tabs with one each would leave none for requests. So one tab reads and tells the others. */
export function shareTabs(share: TabShare): void {
  const locks = (navigator as { locks?: LockManager }).locks;
  if (!locks || typeof BroadcastChannel === 'undefined') void leadWhileVisible(share);
  else leadInTurn(share, locks);
}

function leadInTurn({ name, signal, lead, follow, greeting }: TabShare, locks: LockManager): void {
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
    .catch(() => undefined); // Waiting for one's turn ends with the signal.
}

/** Tabs on plain HTTP cannot agree. Each reads for itself while it is looked at, and resumes when it is looked at again. */
async function leadWhileVisible({ signal, lead }: TabShare): Promise<void> {
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
    const look = () => {
      if (document.visibilityState !== wanted && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });
}
