/** Remembers what was used last, up to a number of entries. */
export class Memory<Value> {
  private readonly entries = new Map<string, Value>();

  constructor(private readonly capacity: number) {}

  get(name: string): Value | undefined {
    const value = this.entries.get(name);
    if (value !== undefined) this.set(name, value);
    return value;
  }

  set(name: string, value: Value): void {
    this.entries.delete(name);
    this.entries.set(name, value);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.capacity) return;
      this.entries.delete(oldest);
    }
  }
}
