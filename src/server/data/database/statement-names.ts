import { LRUCache } from 'lru-cache';

const minUses = 3;
const maxNames = 300;

/** Names repeated statements, so that PostgreSQL can reuse their plans; it gives no more names while `isOn` is false. */
export class StatementNames {
  private readonly uses = new LRUCache<string, number>({ max: 1000 });
  private readonly names = new Map<string, string>();

  constructor(public isOn = true) {}

  /** Returns a name once a text has been used often enough; the number of names per process is limited. */
  nameOf(text: string): string | undefined {
    if (!this.isOn) return undefined;
    const name = this.names.get(text);
    if (name !== undefined || this.names.size >= maxNames) return name;
    const uses = (this.uses.get(text) ?? 0) + 1;
    this.uses.set(text, uses);
    if (uses >= minUses) this.names.set(text, `statement_${this.names.size + 1}`);
    return undefined;
  }
}
