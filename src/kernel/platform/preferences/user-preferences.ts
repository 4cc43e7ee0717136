import { useCallback } from 'react';
import { preference, type UserPreference } from '#shared/preferences';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { Store } from '../../base/store/store.ts';
import type { JsonStorage } from '../browser/storage.ts';
import type { Http } from '../http/http.ts';

/** One preference as stored in this browser. */
interface StoredPreference extends Omit<UserPreference, 'key'> {
  /** True until the server has accepted it. */
  readonly isPending?: boolean;
  readonly isRemoved?: boolean;
}

type Entries = Readonly<Record<string, StoredPreference>>;

const debounceMs = 400;
const retryAfterMs = 30_000;

/** Dependencies of the preferences: `name` is the storage key of this browser's copy for one user. */
export interface UserPreferencesDeps {
  readonly http: Http;
  readonly storage: JsonStorage;
  readonly name: string;
}

/**
 * Preferences of the signed-in user, stored on the server and available in any browser. A change applies immediately and is sent after a short delay; offline it
 * waits in this browser, even across a sign-out. Reading the server's values never counts as a change.
 */
export class UserPreferences extends Store<{ readonly entries: Entries }> {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isSending = false;
  private isDisposed = false;
  private readonly sendSoon = () => this.schedule(0);

  constructor(private readonly deps: UserPreferencesDeps) {
    super({ entries: deps.storage.read<Entries>(deps.name) ?? {} });
    window.addEventListener('online', this.sendSoon);
  }

  /** Adopts the server's values, except where a change is still to be sent. */
  async load(): Promise<void> {
    const before = this.state.entries;
    const answer = await this.deps.http.send(preference.list, { prefix: '' }, { quiet: true }).catch(() => undefined);
    if (!answer?.success) return;
    const now = this.state.entries;
    // The reply does not contain changes that the server has accepted since the request, removals among them.
    const isNewer = (key: string) => now[key]?.isPending || now[key] !== before[key];
    const serverEntries = (answer.data ?? []).map(({ key, version, value }) => [key, { version, value }] as const).filter(([key]) => !isNewer(key));
    const newer = Object.entries(now).filter(([key]) => isNewer(key));
    this.store({ ...Object.fromEntries(serverEntries), ...Object.fromEntries(newer) });
    if (newer.some(([, { isPending }]) => isPending)) this.schedule(0);
  }

  /** Returns the value under a key; `undefined` when there is none or another version wrote it. */
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
    this.isDisposed = true;
    clearTimeout(this.timer);
    window.removeEventListener('online', this.sendSoon);
  }

  private change(key: string, entry: StoredPreference): void {
    this.store({ ...this.state.entries, [key]: entry });
    this.schedule(debounceMs);
  }

  private store(entries: Entries): void {
    this.set({ entries });
    this.deps.storage.write(this.deps.name, entries);
  }

  private schedule(milliseconds: number): void {
    clearTimeout(this.timer);
    // A request that is in progress ends later.
    if (!this.isDisposed) this.timer = setTimeout(() => void this.send(), milliseconds);
  }

  private async send(): Promise<void> {
    if (this.isSending) return this.schedule(debounceMs);
    const pending = Object.entries(this.state.entries).filter(([, { isPending }]) => isPending);
    this.isSending = true;
    let isOnline = true;
    for (const [key, entry] of pending) if (isOnline) isOnline = await this.sendOne(key, entry);
    this.isSending = false;
    if (!isOnline) this.schedule(retryAfterMs);
  }

  /** Sends one change; resolves to false if there was no response. A rejected change is not sent again. */
  private async sendOne(key: string, entry: StoredPreference): Promise<boolean> {
    const { http } = this.deps;
    const { version, value } = entry;
    const sending = entry.isRemoved
      ? http.send(preference.remove, { key }, { quiet: true })
      : http.send(preference.submit, { key, version, value }, { quiet: true });
    const answer = await sending.catch(() => undefined);
    if (!answer) return false;
    // A change made meanwhile is still to be sent.
    if (this.state.entries[key] === entry) this.store(afterAccepted(this.state.entries, key, entry));
    return true;
  }
}

function afterAccepted(entries: Entries, key: string, { version, value, isRemoved }: StoredPreference): Entries {
  const { [key]: _, ...others } = entries;
  return isRemoved ? others : { ...others, [key]: { version, value } };
}

/** Returns the value of an entry that this version can read. */
export function valueIn<Value>(entries: Entries, key: string, version: number): Value | undefined {
  const entry = entries[key];
  return entry && !entry.isRemoved && entry.version === version ? (entry.value as Value) : undefined;
}

/** Returns one of the user's preferences and a function that changes it; `undefined` removes it. */
export function usePreference<Value>(key: string, version: number): readonly [Value | undefined, (value: Value | undefined) => void] {
  const preferences = useService(UserPreferences);
  const value = useStore(
    preferences,
    useCallback(({ entries }) => valueIn<Value>(entries, key, version), [key, version]),
  );
  const change = useCallback(
    (selected: Value | undefined) => (selected === undefined ? preferences.remove(key) : preferences.write(key, version, selected)),
    [preferences, key, version],
  );
  return [value, change];
}
