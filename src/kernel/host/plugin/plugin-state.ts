import type { LocalizedText } from '#shared/text';

/** Phases of a plugin, each inside its own guard. */
export type Phase = 'read' | 'wire' | 'start' | 'stop';

/** `skipped`: it could run, but one of its dependencies does not, or safe mode is on. */
export type PluginStatus = 'waiting' | 'wired' | 'running' | 'disabled' | 'skipped' | 'quarantined';

/** Reason a plugin does not run, with a sentence for the operator. */
export interface Cause {
  readonly kind:
    | 'malformed'
    | 'duplicate'
    | 'cycle'
    | 'missing'
    | 'version'
    | 'error'
    | 'timeout'
    | 'global-mutation'
    | 'dependency'
    | 'safe-mode'
    | 'crash-looping'
    | 'switched-off';
  readonly phase: Phase;
  readonly text: LocalizedText;
  readonly error?: unknown;
}

/** State of one plugin of the deployment. */
export interface PluginState {
  /** The plugin's id; a second entry of the same id is `{id}#2`. */
  readonly id: string;
  readonly title: LocalizedText;
  readonly core: boolean;
  readonly dependencies: readonly string[];
  readonly status: PluginStatus;
  readonly cause?: Cause | undefined;
  /** Duration of the last run of each phase, in milliseconds. */
  readonly timings: Readonly<Partial<Record<Phase, number>>>;
  /** Errors of its listeners and pages since it was read. */
  readonly faults: number;
}

/** Builds causes with their sentences. */
export const causes = {
  malformed: (detail: string): Cause => ({
    kind: 'malformed',
    phase: 'read',
    text: [`插件定义无效：${detail}`, `Invalid plugin definition: ${detail}.`],
  }),
  duplicate: (id: string): Cause => ({ kind: 'duplicate', phase: 'read', text: [`插件「${id}」重复`, `The plugin “${id}” already exists.`] }),
  cycle: (ids: readonly string[]): Cause => ({
    kind: 'cycle',
    phase: 'wire',
    text: [`插件循环依赖：${ids.join(' → ')}`, `Plugins depend on each other: ${ids.join(' → ')}.`],
  }),
  missing: (id: string): Cause => ({
    kind: 'missing',
    phase: 'wire',
    text: [`缺少所需插件「${id}」`, `It requires the plugin “${id}”, which is not installed.`],
  }),
  version: ([zh, en]: LocalizedText): Cause => ({ kind: 'version', phase: 'wire', text: [`版本不符：${zh}`, `Incompatible: ${en}.`] }),
  dependency: (id: string): Cause => ({
    kind: 'dependency',
    phase: 'wire',
    text: [`所需插件「${id}」未运行`, `It requires the plugin “${id}”, which is not running.`],
  }),
  safeMode: (): Cause => ({ kind: 'safe-mode', phase: 'wire', text: ['安全模式下只启动核心插件', 'Only core plugins start in safe mode.'] }),
  switchedOff: (): Cause => ({ kind: 'switched-off', phase: 'stop', text: ['已停用', 'Disabled.'] }),
  error: (phase: Phase, error: unknown): Cause => ({
    kind: 'error',
    phase,
    error,
    text:
      error instanceof RemotePluginError
        ? error.text
        : [`在「${phase}」阶段出错：${messageOf(error)}`, `It failed in the “${phase}” phase: ${messageOf(error)}`],
  }),
  crashLooping: (): Cause => ({
    kind: 'crash-looping',
    phase: 'wire',
    text: ['在本浏览器中连续三次出错，已暂不启动；可重试', 'It failed three times in a row in this browser and is not started. Retry to start it.'],
  }),
  globalMutation: (phase: Phase, names: readonly string[]): Cause => ({
    kind: 'global-mutation',
    phase,
    text: [`插件修改了共用的 ${names.join('、')}，已还原`, `It changed ${names.join(', ')}, shared by all plugins. The change was reverted.`],
  }),
  timeout: (phase: Phase, milliseconds: number): Cause => ({
    kind: 'timeout',
    phase,
    text: [`在「${phase}」阶段超过${milliseconds}毫秒未完成`, `The “${phase}” phase did not finish within ${milliseconds} ms.`],
  }),
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Thrown for a remote plugin this console refuses, with a message for its maintainer. */
export class RemotePluginError extends Error {
  override readonly name = 'RemotePluginError';

  constructor(
    readonly text: LocalizedText,
    options?: ErrorOptions,
  ) {
    super(text[1], options);
  }
}
