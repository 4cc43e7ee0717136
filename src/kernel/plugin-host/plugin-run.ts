import { Subscription } from 'rxjs';
import { Bus } from '../bus.ts';
import type { Container } from '../container.ts';
import type { MittBus } from '../mitt-bus.ts';
import type { Plugin, PluginContext, Provide, Share } from '../plugin.ts';
import { PluginBus } from '../plugin-bus.ts';
import { PluginOptions } from '../plugin-options.ts';
import type { ClaimedFilling } from '../slots/slots.ts';
import type { ClaimedPage, ClaimedSearch } from './claimed-pages.ts';

/** One life of a plugin, from wiring to stop: its container, its subscriptions. What comes after the stop does nothing. */
export class PluginRun {
  readonly container: Container;
  readonly pages: readonly ClaimedPage[];
  readonly overrides: readonly ClaimedPage[];
  readonly searches: readonly ClaimedSearch[];
  readonly fillings: readonly ClaimedFilling[];
  /** It has lent others a service, which they may hold. */
  isShared = false;
  private readonly lifetime = new Subscription();
  private readonly bus: PluginBus;

  constructor(
    private readonly plugin: Plugin,
    private readonly console: Container,
    bus: MittBus,
  ) {
    this.container = console.createChild();
    this.bus = new PluginBus(bus, plugin.id, this.lifetime);
    this.container.bind(Bus, this.bus);
    this.container.bind(PluginOptions, { values: plugin.options ?? {} });
    const owner = { pluginId: plugin.id, services: this.container };
    this.pages = (plugin.pages ?? []).map((page) => ({ ...page, ...owner }));
    this.overrides = (plugin.overrides ?? []).map((page) => ({ ...page, ...owner }));
    this.searches = (plugin.search ?? []).map((search) => ({ ...search, ...owner }));
    this.fillings = (plugin.fills ?? []).map((filling) => ({ ...filling, ...owner, pluginTitle: plugin.title }));
  }

  wire(): void | Promise<void> {
    const provide: Provide = (service, needs) => {
      if (!this.lifetime.closed) this.container.provide(service, needs);
    };
    const share: Share = (token, service) => {
      this.isShared = true;
      this.lifetime.add(this.console.lend(token, () => this.container.get(service)));
    };
    return this.plugin.provide?.(provide, share);
  }

  start(): void | Promise<void> {
    const context: PluginContext = {
      options: this.plugin.options ?? {},
      get: (service) => this.container.get(service),
      find: (service) => this.container.find(service),
      on: (event, listener) => this.bus.on(event, listener),
      onStop: (teardown) => this.lifetime.add(teardown),
    };
    return this.plugin.start?.(context);
  }

  /** Takes back everything; answers with the errors of what did not end well. */
  stop(): unknown[] {
    const errors: unknown[] = [];
    for (const end of [() => this.lifetime.unsubscribe(), () => this.container.dispose()]) {
      try {
        end();
      } catch (error) {
        errors.push(error);
      }
    }
    return errors;
  }
}
