import type { KeyObject } from 'node:crypto';
import { signingKeyDays } from '#shared/kernel-parameters';
import type { Log } from '../../../base/log.ts';
import type { Parameters } from '../../../base/parameters.ts';
import type { Database } from '../../../data/database/database.ts';
import { seesEarlierServers } from './earlier-servers.ts';
import { type KeyPair, type PublicJwk, readKeyPair } from './key-pairs.ts';
import { completeKeys, keepUntil, keysChanged, readKeys, type StoredKey } from './stored-keys.ts';

/** Milliseconds between two reads that unknown key ids cause, so that invented ones cannot keep the database busy. */
const unknownKeyMs = 5000;

/** Dependencies of `SigningKeys`. */
interface SigningKeysDeps {
  readonly db: Database;
  readonly parameters: Parameters;
  readonly log: Pick<Log, 'error' | 'warn'>;
}

interface LoadedKey {
  readonly pair: KeyPair;
  readonly hasBegun: boolean;
  neededUntil: number;
}

/** Key pairs that sign access tokens, the same on all servers of a deployment: read from the database, at intervals, on a signal, and for an unknown key id. */
export class SigningKeys {
  private keys: ReadonlyMap<string, LoadedKey> = new Map();
  private current: LoadedKey | undefined;
  /** False while a server may run that accepts no tokens of key pairs. */
  private isAccepted = false;
  private readAtMs = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | undefined;

  constructor(private readonly deps: SigningKeysDeps) {}

  /** Creates missing keys and reads all; call it once the tables exist. */
  async start(): Promise<void> {
    const { db, log } = this.deps;
    db.onSignal(keysChanged, () => {
      const ended = this.reading ?? Promise.resolve();
      ended.then(() => this.read()).catch((error) => log.warn({ err: error }, 'could not read the signing keys'));
    });
    await completeKeys(db);
    await this.read();
  }

  /** Replaces and removes keys that are due. */
  async maintain(): Promise<void> {
    const { db, parameters } = this.deps;
    await completeKeys(db, await parameters.integer(signingKeyDays));
  }

  /** Reads the keys, unless an earlier reading has not ended. */
  read(): Promise<void> {
    this.reading ??= this.load().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  /** Public keys of the next, the current and the former pairs. */
  get published(): readonly PublicJwk[] {
    return [...this.keys.values()].map(({ pair }) => pair.published);
  }

  /** Returns the pair that signs a token, and keeps it until the token has expired; undefined while a server may run that does not accept such tokens. */
  async signerFor(expiresAt: number): Promise<KeyPair | undefined> {
    for (const isLast of [false, true]) {
      const key = this.current;
      if (!this.isAccepted || !key) return undefined;
      if (expiresAt < key.neededUntil || (await this.keep(key, expiresAt))) return key.pair;
      // Another server has removed the key.
      if (!isLast) await this.read();
    }
    return undefined;
  }

  /** Returns the public key with this id. An unknown id reads the keys again, at most once in five seconds. */
  async publicKey(kid: string): Promise<KeyObject | undefined> {
    if (!this.keys.has(kid) && performance.now() - this.readAtMs >= unknownKeyMs) await this.read();
    else if (!this.keys.has(kid)) await this.reading;
    return this.keys.get(kid)?.pair.publicKey;
  }

  private async keep(key: LoadedKey, expiresAt: number): Promise<boolean> {
    const neededUntil = await keepUntil(this.deps.db, key.pair.kid, expiresAt);
    if (neededUntil !== undefined) key.neededUntil = Math.max(key.neededUntil, neededUntil);
    return neededUntil !== undefined;
  }

  private async load(): Promise<void> {
    const { db } = this.deps;
    this.readAtMs = performance.now();
    const { stored, hasEarlier } = await db.asPlatform('reads the keys that sign access tokens of all tenants', async () => ({
      hasEarlier: await seesEarlierServers(db),
      stored: await readKeys(db),
    }));
    const loaded = (await Promise.all(stored.map((key) => this.loaded(key)))).filter((key) => key !== undefined);
    this.keys = new Map(loaded.map((key) => [key.pair.kid, key]));
    this.current = loaded.filter(({ hasBegun }) => hasBegun).at(-1);
    this.isAccepted = !hasEarlier;
  }

  /** Decrypts a key that is not known yet; undefined if it cannot be read or belongs to another id. */
  private async loaded({ kid, privateKey, hasBegun, neededUntil }: StoredKey): Promise<LoadedKey | undefined> {
    try {
      const pair = this.keys.get(kid)?.pair ?? (await readKeyPair(this.deps.db.encryption.decrypt(privateKey)));
      return pair.kid === kid ? { pair, hasBegun, neededUntil } : undefined;
    } catch (error) {
      this.deps.log.error({ err: error, kid }, 'could not read a signing key');
      return undefined;
    }
  }
}
