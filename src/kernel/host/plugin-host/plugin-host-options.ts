import type { MittBus } from '../../base/bus/mitt-bus.ts';
import type { Container } from '../../base/container/container.ts';
import type { ErrorLog } from '../../platform/errors/error-log.ts';
import type { CrashLoopGuardLoader } from './crash-loop-guard-loader.ts';

/** Dependencies and options of the host. */
export interface PluginHostOptions {
  readonly container: Container;
  readonly bus: MittBus;
  readonly log: ErrorLog;
  /** Time-out of each phase of a plugin, in place of the defaults. */
  readonly phaseTimeoutMs?: number;
  /** Milliseconds for which loaded plugins wait for the others, in place of ten seconds. */
  readonly startTimeoutMs?: number;
  /** True to run core plugins only. */
  readonly safe?: boolean;
  /** Ids of disabled plugins, which are not loaded until they are enabled. */
  readonly disabledIds?: readonly string[];
  /** Guard that leaves out plugins that fail repeatedly. */
  readonly crashLoopGuard?: CrashLoopGuardLoader;
}
