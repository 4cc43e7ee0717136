import type { FilterToken } from '#shared/contract';
import { Refusal } from '#shared/errors';

/** Hears of what is about to be done, in the transaction it is done in: answers with what it is to be done with instead, or refuses by throwing a `Refusal`. */
export type FilterHandler<Value> = (value: Value) => Value | undefined | Promise<Value | undefined>;

interface Held {
  readonly plugin: string;
  readonly handle: FilterHandler<unknown>;
}

/** Where plugins have their say before something is done; they are asked in the order in which they start. */
export class Filters {
  private readonly held = new Map<string, readonly Held[]>();

  add<Value>(plugin: string, { name }: FilterToken<Value>, handle: FilterHandler<Value>): void {
    this.held.set(name, [...(this.held.get(name) ?? []), { plugin, handle: handle as FilterHandler<unknown> }]);
  }

  /** What it is to be done with after everybody was asked. One that fails keeps it from being done, and is named. */
  async apply<Value>({ name }: FilterToken<Value>, value: Value): Promise<Value> {
    let current = value;
    for (const { plugin, handle } of this.held.get(name) ?? []) {
      try {
        current = ((await handle(current)) ?? current) as Value;
      } catch (error) {
        throw error instanceof Refusal ? error : new Error(`plugin "${plugin}" failed at what it does before "${name}"`, { cause: error });
      }
    }
    return current;
  }

  /** What a plugin has its say before. */
  namesOf(plugin: string): string[] {
    return [...this.held].filter(([, held]) => held.some((one) => one.plugin === plugin)).map(([name]) => name);
  }

  /** Takes back everything a plugin filters. */
  forget(plugin: string): void {
    for (const [name, held] of this.held)
      this.held.set(
        name,
        held.filter((one) => one.plugin !== plugin),
      );
  }
}
