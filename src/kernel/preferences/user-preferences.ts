import { preference, type UserPreference } from '#shared/preferences';
import type { Http } from '../http/http.ts';
import type { JsonStorage } from '../storage.ts';
import { Store } from '../store.ts';

/** One preference as this browser knows it. */
interface Known extends Omit<UserPreference, 'key'> {
  /** The server has not taken it yet. */
  readonly isPending?: boolean;
  readonly isRemoved?: boolean;
}

type Entries = Readonly<Record<string, Known>>;

const patience = 400;
const retryAfter = 30_000;

/** What preferences are kept with: `name` holds this browser's copy for one user. */
export interface PreferenceParts {
  readonly http: Http;
  readonly storage: JsonStorage;
  readonly name: string;
}

/**
 * How the signed-in user likes the console, kept on the server and followed to any browser. A change is seen at once and sent a moment later;
 * without the network it waits in this browser, over sign-out too. Reading what the server has never counts as a change.
 */
export class UserPreferences extends Store<{ readonly entries: Entries }> {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isSending = false;
  private readonly sendSoon = () => this.schedule(0);

  constructor(private readonly parts: PreferenceParts) {
    super({ entries: parts.storage.read<Entries>(parts.name) ?? {} });
    window.addEventListener('online', this.sendSoon);
  }

  /** Takes over what the server has, but for what is still to be sent there. */
  async load(): Promise<void> {
    const answer = await this.parts.http.send(preference.list, { prefix: '' }, { quiet: true }).catch(() => undefined);
    if (!answer?.success) return;
    const waiting = Object.entries(this.state.entries).filter(([, { isPending }]) => isPending);
    const known = (answer.data ?? []).map(({ key, version, value }) => [key, { version, value }] as const);
    this.hold({ ...Object.fromEntries(known), ...Object.fromEntries(waiting) });
    if (waiting.length > 0) this.schedule(0);
  }

  /** The value under a key; nothing when there is none or another version wrote it. */
  read<Value>(key: string, version: number): Value | undefined {
    return valueIn<Value>(this.state.entries, key, version);
  }

  write(key: string, version: number, value: unknown): void {
    this.change(key, { version, value, isPending: true });
  }

  remove(key: string): void {
    this.change(key, { version: 1, value: null, isPending: true, isRemoved: true });
  }

  dispose(): void {
    clearTimeout(this.timer);
    window.removeEventListener('online', this.sendSoon);
  }

  private change(key: string, known: Known): void {
    this.hold({ ...this.state.entries, [key]: known });
    this.schedule(patience);
  }

  private hold(entries: Entries): void {
    this.update((state) => void Object.assign(state, { entries }));
    this.parts.storage.write(this.parts.name, entries);
  }

  private schedule(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.send(), milliseconds);
  }

  private async send(): Promise<void> {
    if (this.isSending) return this.schedule(patience);
    const pending = Object.entries(this.state.entries).filter(([, { isPending }]) => isPending);
    this.isSending = true;
    let isReached = true;
    for (const [key, known] of pending) if (isReached) isReached = await this.sendOne(key, known);
    this.isSending = false;
    if (!isReached) this.schedule(retryAfter);
  }

  /** False when nobody answered. What the server refuses is not sent again. */
  private async sendOne(key: string, known: Known): Promise<boolean> {
    const { http } = this.parts;
    const { version, value } = known;
    const sending = known.isRemoved
      ? http.send(preference.remove, { key }, { quiet: true })
      : http.send(preference.submit, { key, version, value }, { quiet: true });
    const answer = await sending.catch(() => undefined);
    if (!answer) return false;
    // What was changed meanwhile is still to be sent.
    if (this.state.entries[key] === known) this.hold(settled(this.state.entries, key, known));
    return true;
  }
}

function settled(entries: Entries, key: string, { version, value, isRemoved }: Known): Entries {
  const { [key]: _, ...others } = entries;
  return isRemoved ? others : { ...others, [key]: { version, value } };
}

/** The value of an entry a reader of this version understands. */
export function valueIn<Value>(entries: Entries, key: string, version: number): Value | undefined {
  const known = entries[key];
  return known && !known.isRemoved && known.version === version ? (known.value as Value) : undefined;
}
