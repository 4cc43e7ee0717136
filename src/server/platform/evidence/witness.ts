import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HeadContent } from './seal.ts';

/** Path of the heads that a server has seen. */
export const witnessPath = (dataDirectory: string): string => join(dataDirectory, 'evidence-heads.json');

/** A head as a server has seen it. */
interface WitnessedHead {
  readonly tenant: string;
  readonly source: string;
  readonly number: number;
  readonly hash: string;
}

/**
 * Heads of chains that this server has seen, in a file of its data directory. A person with nothing but the database can delete the last seals and restore an earlier head, but cannot
 * change this file. Without a writable directory it lasts as long as the process.
 */
export class WitnessedHeads {
  private readonly heads = new Map<string, WitnessedHead>();

  /** `path` undefined keeps the heads in memory. */
  constructor(private readonly path?: string) {
    if (path === undefined) return;
    try {
      const stored = JSON.parse(readFileSync(path, 'utf8')) as WitnessedHead[];
      for (const head of stored) this.heads.set(keyOf(head), head);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        throw new Error(`${path} cannot be read. Delete it if its server is not under suspicion.`, { cause: error });
    }
  }

  all(): Iterable<WitnessedHead> {
    return this.heads.values();
  }

  of(head: Pick<HeadContent, 'tenant' | 'source'>): WitnessedHead | undefined {
    return this.heads.get(keyOf(head));
  }

  /** Lists the heads that have gone back, or are missing, since this server has seen them. */
  lost(heads: readonly HeadContent[]): WitnessedHead[] {
    const numbers = new Map(heads.map((head) => [keyOf(head), head.number]));
    return [...this.heads.values()].filter((head) => (numbers.get(keyOf(head)) ?? 0) < head.number);
  }

  /** Takes note of heads with higher numbers than before. */
  async see(heads: readonly HeadContent[]): Promise<void> {
    const news = heads.filter((head) => head.number > (this.of(head)?.number ?? 0));
    if (news.length === 0) return;
    for (const { tenant, source, number, hash } of news) this.heads.set(keyOf({ tenant, source }), { tenant, source, number, hash });
    await nextTurn();
    if (this.path === undefined) return;
    try {
      mkdirSync(dirname(this.path), { recursive: true });
      writeFileSync(`${this.path}.draft`, JSON.stringify([...this.heads.values()]));
      renameSync(`${this.path}.draft`, this.path);
    } catch (error) {
      if (!['EROFS', 'EACCES', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

const keyOf = ({ tenant, source }: Pick<HeadContent, 'tenant' | 'source'>): string => `${tenant} ${source}`;
