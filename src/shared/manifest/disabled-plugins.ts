import { event } from '../contract/contract.ts';
import { type Problem, problem } from '../contract/errors.ts';
import type { LocalizedText } from '../text/text.ts';

/** The enabled plugins of the listener's tenant have changed. `off` lists the ids of all disabled plugins, including those disabled because of a dependency. */
export const PluginsSwitched = event<{ off: readonly string[] }>('plugins:switched');

/** Refusal of a call of a disabled plugin. It has the status of an unknown call, and a message that tells a signed-in user the reason. */
export const pluginDisabledProblem = (title: LocalizedText): Problem =>
  problem(404, [`插件「${title[0]}」已停用，如需使用请联系管理员`, `The plugin “${title[1]}” is disabled. Contact an administrator if you need it.`]);
