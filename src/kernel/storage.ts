/** Values in browser storage under the deployment's prefix. Where the browser refuses storage they are kept in memory, and go with the page. */
export class JsonStorage {
  private readonly memory = new Map<string, string>();

  constructor(
    private readonly area: Storage,
    private readonly prefix: string,
  ) {}

  /** The stored value; `undefined` when there is none or it is not readable. */
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
      // Storage that is forbidden holds nothing either.
    }
  }

  /** The full key of a name, as storage events carry it. */
  keyOf(name: string): string {
    return this.prefix + name;
  }
}
