/** Items that plugins have registered, in the order of registration; a plugin can be taken out again. */
export class ByPlugin<Item> {
  private entries: readonly (readonly [plugin: string, item: Item])[] = [];

  add(plugin: string, items: readonly Item[]): void {
    this.entries = [...this.entries, ...items.map((item) => [plugin, item] as const)];
  }

  /** Removes everything of a plugin. */
  unregister(plugin: string): void {
    this.entries = this.entries.filter(([owner]) => owner !== plugin);
  }

  all(): Item[] {
    return this.entries.map(([, item]) => item);
  }

  of(plugin: string): Item[] {
    return this.entries.flatMap(([owner, item]) => (owner === plugin ? [item] : []));
  }
}
