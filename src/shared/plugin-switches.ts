import { event } from './contract.ts';
import { type Problem, problem } from './errors.ts';
import type { Words } from './text.ts';

/** Told live to every console whose tenant has other plugins switched off than before: their ids, those that went with others among them. */
export const PluginsSwitched = event<{ off: readonly string[] }>('plugins:switched');

/** A call of a plugin that is switched off: it is as if it were not there, but whoever is signed in is told why. */
export const switchedOff = (title: Words): Problem =>
  problem(404, [`插件“${title[0]}”已停用，如需使用请联系管理员`, `The plugin “${title[1]}” is switched off. Ask an administrator if you need it.`]);
