import { AsyncLocalStorage } from 'node:async_hooks';

/** Storage of all variables. They share one, because before Node.js 24 every promise copies the value of every storage. */
const contexts = new AsyncLocalStorage<Readonly<Record<symbol, unknown>>>();

/** Runs work that outlives its cause, such as a process that several requests use, without the value of any variable. */
export const withoutContext = <Result>(work: () => Result): Result => contexts.run({}, work);

/** A value of the current asynchronous work, like `AsyncContext.Variable` of TC39. Each variable is set and nested independently of the others. */
export class ContextVariable<Value> {
  private readonly key = Symbol();

  /** Returns the value that the innermost surrounding `run` set; undefined outside of all. */
  get(): Value | undefined {
    return contexts.getStore()?.[this.key] as Value | undefined;
  }

  /** Runs `work`, and everything that it starts, with this value. */
  run<Result>(value: Value, work: () => Result): Result {
    return contexts.run({ ...contexts.getStore(), [this.key]: value }, work);
  }
}
