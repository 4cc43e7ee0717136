/** Stores JSON values in browser storage under the deployment's prefix. Where the browser refuses storage they are kept in memory until the page is left. */
export class JsonStorage {
  private readonly memory = new Map<string, string>();

  constructor(
    private readonly area: Storage,
    private readonly prefix: string,
  ) {}

  /** Returns the stored value; `undefined` when there is none or it cannot be parsed. */
  read<Value>(name: string): Value | undefined {
    try {
      const text = this.memory.get(name) ?? this.area.getItem(this.keyOf(name));
      return text === null ? undefined : (JSON.parse(text) as Value);
    } catch {
      return undefined;
    }
  }

  write(name: string, value: unknown): void {
    const text = JSON.stringify(value);
    try {
      this.area.setItem(this.keyOf(name), text);
      this.memory.delete(name);
    } catch {
      this.memory.set(name, text);
    }
  }

  remove(name: string): void {
    this.memory.delete(name);
    try {
      this.area.removeItem(this.keyOf(name));
    } catch {
      // Forbidden storage is treated as empty.
    }
  }

  /** Removes every value whose name begins with the prefix. */
  removeByPrefix(prefix: string): void {
    const found = [...this.memory.keys(), ...this.storedNames()].filter((name) => name.startsWith(prefix));
    for (const name of found) this.remove(name);
  }

  /** Returns the full key of a name, as storage events carry it. */
  keyOf(name: string): string {
    return this.prefix + name;
  }

  private storedNames(): string[] {
    try {
      const keys = Array.from({ length: this.area.length }, (_, index) => this.area.key(index) ?? '');
      return keys.filter((key) => key.startsWith(this.prefix)).map((key) => key.slice(this.prefix.length));
    } catch {
      return [];
    }
  }
}
