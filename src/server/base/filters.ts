import type { FilterToken } from '#shared/contract';
import { ApiError } from '#shared/errors';

/** Handles a value before it is processed, in the same transaction: returns a replacement, `undefined` to keep the value, or throws an `ApiError` to reject it. */
export type FilterHandler<Value> = (value: Value) => Value | undefined | Promise<Value | undefined>;

interface RegisteredFilter {
  readonly plugin: string;
  readonly handle: FilterHandler<unknown>;
}

/** Filters of plugins that run before an operation, in the start order of the plugins. */
export class Filters {
  private readonly registered = new Map<string, readonly RegisteredFilter[]>();

  add<Value>(plugin: string, { name }: FilterToken<Value>, handle: FilterHandler<Value>): void {
    this.registered.set(name, [...(this.registered.get(name) ?? []), { plugin, handle: handle as FilterHandler<unknown> }]);
  }

  /** Runs every filter over a value and returns the result. A filter that fails stops the operation, and the error names its plugin. */
  async apply<Value>({ name }: FilterToken<Value>, value: Value): Promise<Value> {
    let current = value;
    for (const { plugin, handle } of this.registered.get(name) ?? []) {
      try {
        current = ((await handle(current)) ?? current) as Value;
      } catch (error) {
        throw error instanceof ApiError ? error : new Error(`plugin "${plugin}" failed in its filter of "${name}"`, { cause: error });
      }
    }
    return current;
  }

  /** Lists the names of the filters of a plugin. */
  namesOf(plugin: string): string[] {
    return [...this.registered].filter(([, registered]) => registered.some((one) => one.plugin === plugin)).map(([name]) => name);
  }

  /** Removes every filter of a plugin. */
  unregister(plugin: string): void {
    for (const [name, registered] of this.registered)
      this.registered.set(
        name,
        registered.filter((one) => one.plugin !== plugin),
      );
  }
}
