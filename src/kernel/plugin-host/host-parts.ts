import type { Container } from '../container.ts';
import type { ErrorLog } from '../errors/error-log.ts';
import type { MittBus } from '../mitt-bus.ts';
import type { Failures } from './failures.ts';

/** What the host is made of. */
export interface HostParts {
  readonly container: Container;
  readonly bus: MittBus;
  readonly log: ErrorLog;
  /** Milliseconds a plugin has for each phase, instead of those it has by default. */
  readonly timeLimit?: number;
  /** Milliseconds the plugins that have been read wait for the rest, instead of ten seconds. */
  readonly patience?: number;
  /** True: core plugins alone. */
  readonly safe?: boolean;
  /** Plugins that are switched off: they are not even read until they are enabled. */
  readonly off?: readonly string[];
  /** Remembers which plugins fail each time. */
  readonly failures?: Failures;
}
