import { LRUCache } from 'lru-cache';

const usesBefore = 3;
const namesGiven = 300;

/** Gives a statement that keeps coming back a name, under which PostgreSQL keeps it parsed and planned. */
export class StatementNames {
  private readonly uses = new LRUCache<string, number>({ max: 1000 });
  private readonly names = new Map<string, string>();

  /** The name, once the text has come often enough; no more than so many in the life of the process. */
  nameOf(text: string): string | undefined {
    const name = this.names.get(text);
    if (name !== undefined || this.names.size >= namesGiven) return name;
    const uses = (this.uses.get(text) ?? 0) + 1;
    this.uses.set(text, uses);
    if (uses >= usesBefore) this.names.set(text, `statement_${this.names.size + 1}`);
    return undefined;
  }
}
