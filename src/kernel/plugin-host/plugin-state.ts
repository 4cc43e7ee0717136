import type { Words } from '#shared/text';
import { RemoteRefusal } from '../remote/remote-refusal.ts';

/** The phases a plugin passes, each inside its own guard. */
export type Phase = 'read' | 'wire' | 'start' | 'stop';

/** `skipped`: it could run, but something it needs does not, or safe mode is on. */
export type PluginStatus = 'waiting' | 'wired' | 'running' | 'disabled' | 'skipped' | 'quarantined';

/** Why a plugin does not run, in a sentence the operator can read. */
export interface Cause {
  readonly kind:
    | 'malformed'
    | 'duplicate'
    | 'cycle'
    | 'missing'
    | 'version'
    | 'threw'
    | 'hung'
    | 'globals'
    | 'need'
    | 'safe-mode'
    | 'fails-each-time'
    | 'switched-off';
  readonly phase: Phase;
  readonly words: Words;
  readonly error?: unknown;
}

/** How one plugin of the deployment fares. */
export interface PluginState {
  /** The plugin's id; a second entry of the same id is `{id}#2`. */
  readonly id: string;
  readonly title: Words;
  readonly core: boolean;
  readonly needs: readonly string[];
  readonly status: PluginStatus;
  readonly cause?: Cause | undefined;
  /** Milliseconds each phase took last. */
  readonly timings: Readonly<Partial<Record<Phase, number>>>;
  /** Errors of its listeners and pages since it was read. */
  readonly faults: number;
}

/** The sentences of causes. */
export const causes = {
  malformed: (detail: string): Cause => ({
    kind: 'malformed',
    phase: 'read',
    words: [`插件定义无效：${detail}`, `The plugin definition is not valid: ${detail}.`],
  }),
  duplicate: (id: string): Cause => ({ kind: 'duplicate', phase: 'read', words: [`插件“${id}”重复`, `There is already a plugin "${id}".`] }),
  cycle: (ids: readonly string[]): Cause => ({
    kind: 'cycle',
    phase: 'wire',
    words: [`插件互相依赖：${ids.join(' → ')}`, `Plugins need each other: ${ids.join(' → ')}.`],
  }),
  missing: (id: string): Cause => ({
    kind: 'missing',
    phase: 'wire',
    words: [`缺少所需插件“${id}”`, `It needs the plugin "${id}", which this deployment does not have.`],
  }),
  version: ([zh, en]: Words): Cause => ({ kind: 'version', phase: 'wire', words: [`版本不符：${zh}`, `It does not fit: ${en}.`] }),
  need: (id: string): Cause => ({ kind: 'need', phase: 'wire', words: [`所需插件“${id}”未运行`, `It needs the plugin "${id}", which is not running.`] }),
  safeMode: (): Cause => ({ kind: 'safe-mode', phase: 'wire', words: ['安全模式下只启动核心插件', 'Safe mode starts core plugins only.'] }),
  switchedOff: (): Cause => ({ kind: 'switched-off', phase: 'stop', words: ['已停用', 'It was switched off.'] }),
  threw: (phase: Phase, error: unknown): Cause => ({
    kind: 'threw',
    phase,
    error,
    words: error instanceof RemoteRefusal ? error.words : [`在“${phase}”阶段出错：${messageOf(error)}`, `It failed in "${phase}": ${messageOf(error)}`],
  }),
  globals: (phase: Phase, names: readonly string[]): Cause => ({
    kind: 'globals',
    phase,
    words: [`它改动了所有插件共用的 ${names.join('、')}，已恢复原样`, `It changed ${names.join(', ')}, which all plugins share; that was put back.`],
  }),
  hung: (phase: Phase, milliseconds: number): Cause => ({
    kind: 'hung',
    phase,
    words: [`在“${phase}”阶段超过${milliseconds}毫秒未完成`, `It did not finish "${phase}" within ${milliseconds} ms.`],
  }),
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
