import type { MittBus } from '../../base/bus/mitt-bus.ts';
import type { Container } from '../../base/container/container.ts';
import type { ErrorLog } from '../../platform/errors/error-log.ts';
import type { Failures } from './failures.ts';

/** Dependencies and options of the host. */
export interface PluginHostOptions {
  readonly container: Container;
  readonly bus: MittBus;
  readonly log: ErrorLog;
  /** Milliseconds a plugin has for each phase, in place of the defaults. */
  readonly timeLimit?: number;
  /** Milliseconds for which loaded plugins wait for the others, in place of ten seconds. */
  readonly startTimeoutMs?: number;
  /** True to run core plugins only. */
  readonly safe?: boolean;
  /** Disabled plugins, which are not loaded until they are enabled. */
  readonly off?: readonly string[];
  /** Remembers plugins that fail repeatedly. */
  readonly failures?: Failures;
}
