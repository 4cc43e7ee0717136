import { event } from '#shared/contract';
import { menu } from '#shared/menu-entry';
import { definePlugin, type Plugin, page } from '../../../../src/kernel/host/plugin/plugin.ts';
import type { PluginHost } from '../../../../src/kernel/host/plugin-host/plugin-host.ts';

export const Happened = event<{ count: number }>('test:happened');

/** A plugin with nothing but what a test gives it. */
export const named = (id: string, parts: Partial<Plugin> = {}): Plugin => definePlugin({ id, title: [id, id], ...parts });

export const pageOf = (code: string) => page(menu({ code, title: [code, code], path: `/test/${code}` }), () => Promise.resolve({ default: () => null }));

/** How every plugin fares, in a word and the kind of cause. */
export const statuses = (host: PluginHost) => Object.fromEntries(host.states.map(({ id, status, cause }) => [id, cause ? `${status}: ${cause.kind}` : status]));
